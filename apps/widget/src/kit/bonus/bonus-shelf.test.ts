import type { Bonus } from '@opencashier/contract/api';
import { expect, test, vi } from 'vitest';
import { createFixtureServices, createSession } from '../session/services-fixture.ts';
import { bonusFixture } from './bonus-fixture.ts';
import { bonusShelfOf } from './bonus-shelf.ts';

const endingIn = (id: string, ms: number, now: number) =>
  bonusFixture(id, { mustAccruedBefore: new Date(now + ms).toISOString() });

function open(make: (now: number) => Bonus[], bonusId?: string) {
  const services = createFixtureServices();
  const bonusList = make(services.clock.now());
  services.session.setState(createSession({}, { bonusList, ...(bonusId !== undefined && { bonusId }) }), true);
  return { services, shelf: bonusShelfOf(services), bonusList };
}
const ids = (shelf: ReturnType<typeof bonusShelfOf>) => shelf.getState().bonuses.map(({ id }) => id);

test('[BON-2] enabled by default, the host’s bonus is chosen, else the first', () => {
  expect(open(() => [bonusFixture('1'), bonusFixture('2')], '2').shelf.getState()).toMatchObject({
    activeId: '2',
    isEnabled: true,
  });
  expect(open(() => [bonusFixture('1'), bonusFixture('2')], 'gone').shelf.getState().activeId).toBe('1');
});

test('[BON-2] each second removes ended bonuses, and the selection moves to a neighbour', () => {
  const { services, shelf } = open((now) => [bonusFixture('1'), endingIn('2', 1500, now), bonusFixture('3')], '2');
  const heard = vi.fn();
  const stop = shelf.subscribe(heard);
  services.clock.advance(1000);
  expect(heard).not.toHaveBeenCalled();
  services.clock.advance(1000);
  expect(heard).toHaveBeenCalledTimes(1);
  expect(shelf.getState()).toMatchObject({ activeId: '3', isEnabled: true });
  expect(ids(shelf)).toEqual(['1', '3']);
  stop();
  expect(services.clock.pending()).toBe(0);
});

test('[BON-2] the server’s clock decides, not the device’s', () => {
  const { services, shelf } = open((now) => [endingIn('1', 86_400_000, now), bonusFixture('2')]);
  services.api.serverOffsetMs = () => 86_400_000;
  expect(ids(shelf)).toEqual(['2']);
  expect(shelf.getState().activeId).toBe('2');
});

test('without a bonus no timer runs', () => {
  const { services, shelf } = open(() => []);
  shelf.subscribe(() => undefined);
  expect(services.clock.pending()).toBe(0);
  services.session.setState(createSession({}, { bonusList: [bonusFixture('1')] }), true);
  expect(services.clock.pending()).toBe(1);
  expect(shelf.getState().activeId).toBe('1');
});

test('[BON-1] [HOST-3] a new list of the host replaces the old one and keeps the choice', () => {
  const { services, shelf } = open(() => [bonusFixture('1'), bonusFixture('2')]);
  shelf.subscribe(() => undefined);
  shelf.choose('2');
  shelf.setEnabled(false);
  services.session.setState(createSession({}, { bonusList: [bonusFixture('3'), bonusFixture('2')] }), true);
  expect(shelf.getState()).toMatchObject({ activeId: '2', isEnabled: false });
  expect(ids(shelf)).toEqual(['3', '2']);
});

test('[BON-2] a bonus that the server calls ended does not come back, and one in another currency is not offered', () => {
  const { services, shelf, bonusList } = open(() => [
    bonusFixture('1'),
    bonusFixture('2'),
    bonusFixture('3', { currency: 'USD' }),
  ]);
  expect(ids(shelf)).toEqual(['1', '2']);
  shelf.subscribe(() => undefined);
  shelf.end('1');
  expect(shelf.getState().activeId).toBe('2');
  services.session.setState(createSession({}, { bonusList: [...bonusList] }), true);
  expect(ids(shelf)).toEqual(['2']);
});

test('choosing turns the switch on, and only a listed bonus can be chosen', () => {
  const { shelf } = open(() => [bonusFixture('1'), bonusFixture('2')]);
  shelf.setEnabled(false);
  shelf.choose('nothing');
  expect(shelf.getState()).toMatchObject({ activeId: '1', isEnabled: false });
  shelf.choose('2');
  expect(shelf.getState()).toMatchObject({ activeId: '2', isEnabled: true });
});
