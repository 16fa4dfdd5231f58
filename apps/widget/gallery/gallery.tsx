import '../src/app/look/tokens.css';
import { createRoot } from 'react-dom/client';
import { Chrome } from './chrome.tsx';
import * as pictures from './photographed.ts';
import { readSettings, usual } from './settings.ts';
import { createStage } from './stage.tsx';
import { states } from './states.ts';

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no element with the id root.');

// A state replaces the path and the query of its page, so the settings are then kept in the fragment.
const settings = readSettings(location.hash.length > 1 ? location.hash.slice(1) : location.search);
if (settings.bare) {
  const stage = createStage(root);
  Object.assign(window, {
    gallery: { ...stage, usual, ...pictures, ids: states.map(({ id }) => id) },
  });
  if (settings.state !== '') await stage.show(settings);
} else {
  createRoot(root).render(<Chrome first={settings} />);
}
