/** The gallery around a state: a list by folder, and switches. */
import { type ReactNode, useEffect, useState } from 'react';
import styles from './chrome.module.css';
import { looks, type Settings, widths, writeSettings } from './settings.ts';
import { folderOf } from './state.ts';
import { states } from './states.ts';

const [, ...locales] = import.meta.env.LOCALES.split(' ');
const folders = [...new Set(states.map(({ id }) => folderOf(id)))].sort();

export function Chrome({ first }: { readonly first: Settings }) {
  const [settings, setSettings] = useState<Settings>({ ...first, state: first.state || (states[0]?.id ?? '') });
  const change = (more: Partial<Settings>) => setSettings({ ...settings, ...more });
  useEffect(() => {
    history.replaceState(null, '', `/?${writeSettings(settings)}`);
    document.title = settings.state;
  }, [settings]);
  const address = `/?${writeSettings({ ...settings, bare: true })}`;
  return (
    <div className={styles['chrome']}>
      <nav className={styles['list']} aria-label="States">
        {folders.map((folder) => (
          <details key={folder} open={folderOf(settings.state) === folder}>
            <summary>{folder}</summary>
            {states
              .filter(({ id }) => folderOf(id) === folder)
              .map(({ id }) => (
                <button
                  key={id}
                  type="button"
                  aria-current={id === settings.state ? 'true' : undefined}
                  onClick={() => change({ state: id })}
                >
                  {id.slice(folder.length + 1).replaceAll('-', ' ')}
                </button>
              ))}
          </details>
        ))}
      </nav>
      <div className={styles['stage']}>
        <form className={styles['switches']}>
          <Choice name="Width" values={widths} chosen={settings.width} onChoose={(width) => change({ width })} />
          <Choice
            name="Theme"
            values={['light', 'dark']}
            chosen={settings.theme}
            onChoose={(theme) => change({ theme })}
          />
          <Choice name="Language" values={locales} chosen={settings.locale} onChoose={(locale) => change({ locale })} />
          <Choice
            name="Direction"
            values={['auto', 'ltr', 'rtl']}
            chosen={settings.direction}
            onChoose={(direction) => change({ direction })}
          />
          <Choice
            name="Look"
            values={Object.keys(looks) as (keyof typeof looks)[]}
            chosen={settings.look}
            onChoose={(look) => change({ look })}
          />
          <Choice
            name="Motion"
            values={['full', 'reduced']}
            chosen={settings.motion}
            onChoose={(motion) => change({ motion })}
          />
          <Choice name="Text %" values={[100, 200]} chosen={settings.text} onChoose={(text) => change({ text })} />
          <Choice
            name="Letters"
            values={['font', 'blocks']}
            chosen={settings.blocks ? 'blocks' : 'font'}
            onChoose={(letters) => change({ blocks: letters === 'blocks' })}
          />
          <a href={address} target="_blank" rel="noreferrer">
            Alone
          </a>
        </form>
        <iframe key={address} title={settings.state} src={address} style={{ inlineSize: settings.width }} />
      </div>
    </div>
  );
}

function Choice<Value extends string | number>({
  name,
  values,
  chosen,
  onChoose,
}: {
  readonly name: string;
  readonly values: readonly Value[];
  readonly chosen: Value;
  readonly onChoose: (value: Value) => void;
}): ReactNode {
  return (
    <label>
      {name}{' '}
      <select
        value={String(chosen)}
        onChange={(event) => {
          const value = values.find((one) => String(one) === event.target.value);
          if (value !== undefined) onChoose(value);
        }}
      >
        {values.map((value) => (
          <option key={value}>{value}</option>
        ))}
      </select>
    </label>
  );
}
