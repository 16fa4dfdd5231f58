/** How a bank's file leaves the cashier: who downloads it, and who says that the bank has it (WD-2). */
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import type { RunningApp } from '../transports/testing/running-app.ts';
import { type SepaOperator, withSepaOperator } from './sepa-operator.fixture.ts';

let running: RunningApp;
let operator: SepaOperator;
withSepaOperator((made) => {
  operator = made;
  ({ running } = made);
});

test('[WD-2] a file goes to the bank by two persons', async () => {
  const { fileId } = await operator.fileOf('20.50');
  expect((await operator.handOver(fileId)).status).toBe(409);
  await operator.download(fileId, 'Ann');
  expect(await operator.handOver(fileId, 'ann')).toMatchObject({ status: 409 });
  expect(await operator.handOver(fileId, 'bob')).toMatchObject({
    status: 200,
    body: { state: 'handed', downloadedBy: 'Ann' },
  });
  expect((await operator.handOver(fileId, 'bob')).status).toBe(200);
  expect((await operator.handOver(fileId, 'carl')).status).toBe(409);
  expect((await operator.ask('POST', `/payout-files/${randomUUID()}/download`, { staff: 'ann' })).status).toBe(404);
});

test('[WD-2] every download is recorded, and only who never downloaded a file hands it over', async () => {
  const { fileId } = await operator.fileOf('20.50');
  for (const staff of ['ann', 'bob', 'Ann']) await operator.download(fileId, staff);
  for (const staff of ['ann', 'BOB'])
    expect(await operator.handOver(fileId, staff)).toMatchObject({
      status: 409,
      body: { error: { message: expect.stringContaining('This person has downloaded the file.') } },
    });
  const change = (text: string): Promise<unknown> => running.database.query({ text, values: [fileId] });
  // The database itself refuses both, and keeps what it knows of the downloads.
  for (const name of ['ANN', 'BOB']) {
    const handed = change(
      `update payout_file set state = 'handed', handed_by = '${name}', handed_at = now() where id = $1`,
    );
    await expect(handed).rejects.toMatchObject({ constraint: 'payout_file_by_two' });
  }
  for (const wrong of [
    `update payout_file set downloaded_at = now() + interval '1 day' where id = $1`,
    `update payout_file_take set by = 'eve' where file_id = $1`,
    'delete from payout_file_take where file_id = $1',
  ])
    await expect(change(wrong)).rejects.toThrow();
  expect(await operator.handOver(fileId, 'carl')).toMatchObject({
    status: 200,
    body: {
      state: 'handed',
      downloadedBy: 'ann',
      handedBy: 'carl',
      takes: [
        { staff: 'ann', times: 2 },
        { staff: 'bob', times: 1 },
      ],
    },
  });
  // Who needs the content later gets it, and is recorded, too.
  await operator.download(fileId, 'carl');
  const file = (await operator.files()).find((one) => one.fileId === fileId);
  expect(file?.takes).toMatchObject([{ staff: 'ann' }, { staff: 'bob' }, { staff: 'carl', times: 1 }]);
});

test('[WD-2] a file that an older version of the cashier gave out has its first taker, and others are added', async () => {
  const { fileId } = await operator.fileOf('20.50');
  await running.database.query({
    text: `update payout_file set state = 'downloaded', downloaded_by = 'ann', downloaded_at = now() - interval '1 hour' where id = $1`,
    values: [fileId],
  });
  await operator.download(fileId, 'bob');
  for (const staff of ['ann', 'bob']) expect((await operator.handOver(fileId, staff)).status).toBe(409);
  expect(await operator.handOver(fileId, 'carl')).toMatchObject({
    status: 200,
    body: {
      takes: [
        { staff: 'ann', times: 1 },
        { staff: 'bob', times: 1 },
      ],
    },
  });
});
