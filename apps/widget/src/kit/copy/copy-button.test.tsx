// @vitest-environment jsdom
import type { HostPayload } from '@opencashier/contract/host';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, type MockInstance, test, vi } from 'vitest';
import { renderWith } from '../form/form-fixture.tsx';
import { createFixtureServices, createSession, type FixtureServices } from '../session/services-fixture.ts';
import { CopyButton } from './copy-button.tsx';

const user = userEvent.setup();
const copyMessage = { messageType: 'copy', payload: { text: 'TXk9q' } };

let written: MockInstance<Clipboard['writeText']>;
beforeEach(() => {
  written = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
  return () => written.mockRestore();
});

function show(
  platform: HostPayload['platform'],
  nativeActions: HostPayload['nativeActions'],
  isTaken = true,
): FixtureServices {
  const isNative = platform === 'android' || platform === 'ios';
  const services = createFixtureServices({}, { session: createSession({ isNative }, { platform, nativeActions }) });
  if (!isTaken) vi.spyOn(services, 'post').mockReturnValue(false);
  renderWith(services, <CopyButton value="TXk9q" name="Address" />);
  return services;
}
const tap = () => user.click(screen.getByRole('button'));

describe('[HOST-13] copying', () => {
  test.each(['android', 'ios'] as const)(
    'on %s goes to the app that offers it, and not to the browser',
    async (platform) => {
      const services = show(platform, ['copy']);
      await tap();
      expect(services.posted).toEqual([copyMessage]);
      expect(written).not.toHaveBeenCalled();
      expect(screen.getByRole('status')).toHaveTextContent('Copied');
    },
  );

  test('on native stays with the browser where the app offers nothing, or only to share', async () => {
    const services = show('ios', ['share']);
    await tap();
    expect(services.posted).toEqual([]);
    expect(written).toHaveBeenCalledExactlyOnceWith('TXk9q');
  });

  test.each(['web', 'iframe', 'webview', 'pwa'] as const)(
    'on %s the host never hears what is copied',
    async (platform) => {
      const services = show(platform, ['copy', 'share']);
      await tap();
      expect(services.posted).toEqual([]);
      expect(written).toHaveBeenCalledExactlyOnceWith('TXk9q');
    },
  );

  test('in a frame the page around is not told either, whatever it calls itself', async () => {
    vi.stubGlobal('parent', {});
    const services = show('android', ['copy']);
    await tap();
    vi.unstubAllGlobals();
    expect(services.posted).toEqual([]);
    expect(written).toHaveBeenCalledExactlyOnceWith('TXk9q');
  });

  test('falls back to the browser, then to selecting, and says so when nothing helps', async () => {
    show('android', ['copy'], false);
    await tap();
    expect(written).toHaveBeenCalledExactlyOnceWith('TXk9q');
    written.mockRejectedValue(new DOMException('', 'NotAllowedError'));
    const select = vi.fn(() => true);
    Object.assign(document, { execCommand: select });
    await tap();
    expect(select).toHaveBeenCalledWith('copy');
    expect(screen.getByRole('status')).toHaveTextContent('Copied');
    select.mockReturnValue(false);
    await tap();
    expect(screen.getByRole('status')).not.toHaveTextContent('Copied');
  });
});
