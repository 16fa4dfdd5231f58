/** A camera that shows one QR code, for a Chromium of its own. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { encode } from 'uqr';

const WIDTH = 640;
const HEIGHT = 480;
const GREY = 128;
const DARK = 40;
const LIGHT = 210;

/** Options of a Chromium whose camera shows `text` as a QR code. */
export function fakeCameraArgs(text: string): string[] {
  const file = join(mkdtempSync(join(tmpdir(), 'fake-camera-')), 'code.y4m');
  writeFileSync(file, y4mOf(text));
  return ['--use-fake-device-for-media-stream', `--use-file-for-fake-video-capture=${file}`];
}

/** A film of one frame, which Chromium repeats: the brightness of each pixel, then two neutral colour planes. */
function y4mOf(text: string): Buffer {
  const { data: modules, size } = encode(text, { border: 4 });
  const scale = Math.floor((HEIGHT * 0.8) / size);
  const [left, top] = [Math.floor((WIDTH - size * scale) / 2), Math.floor((HEIGHT - size * scale) / 2)];
  const brightness = Buffer.alloc(WIDTH * HEIGHT, GREY);
  for (let y = 0; y < size * scale; y += 1) {
    for (let x = 0; x < size * scale; x += 1) {
      const isDark = modules[Math.floor(y / scale)]?.[Math.floor(x / scale)] === true;
      brightness[(top + y) * WIDTH + left + x] = isDark ? DARK : LIGHT;
    }
  }
  const head = Buffer.from(`YUV4MPEG2 W${WIDTH} H${HEIGHT} F10:1 Ip A1:1 C420jpeg\n`);
  return Buffer.concat([head, Buffer.from('FRAME\n'), brightness, Buffer.alloc((WIDTH * HEIGHT) / 2, GREY)]);
}
