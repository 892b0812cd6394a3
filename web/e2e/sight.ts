import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The video of Chromium's fake camera: an MJPEG in a temporary folder. */
export interface Sight {
  path: string;
  remove: () => Promise<void>;
}

/** A quiet room with a window and a person's silhouette: 1280 × 720, drawn by ImageMagick. */
const room = [
  ...['-size', '640x480', 'gradient:#d9dee6-#a9b2c0'],
  ...['-fill', '#eef3fa', '-draw', 'roundrectangle 410,40 600,250 6,6'],
  ...['-fill', '#c2cad6', '-draw', 'rectangle 502,40 508,250'],
  ...['-fill', '#8a7763', '-draw', 'rectangle 30,90 170,96', '-draw', 'rectangle 30,180 170,186'],
  ...['-fill', '#5c6f91', '-draw', 'rectangle 44,48 58,90', '-fill', '#93684f', '-draw', 'rectangle 62,56 74,90'],
  ...['-fill', '#6f8a70', '-draw', 'rectangle 80,44 98,90', '-fill', '#b09a6a', '-draw', 'rectangle 60,140 90,180'],
  ...['-blur', '0x7'],
  ...['-fill', '#34425e', '-draw', 'roundrectangle 170,365 470,620 110,110'],
  ...['-fill', '#c99b7d', '-draw', 'roundrectangle 290,290 350,390 26,26'],
  ...['-fill', '#d8ab8c', '-draw', 'ellipse 320,225 74,94 0,360'],
  ...[
    '-fill',
    '#3d2f2a',
    '-draw',
    'path "M 242,225 C 236,110 404,110 398,225 C 392,178 350,168 322,170 C 290,168 250,180 242,225 Z"',
  ],
  ...['-blur', '0x1.5', '-resize', '1280x960', '-crop', '1280x720+0+100', '+repage'],
];

/** Renders the room as a video for the fake camera. */
export async function drawSight(): Promise<Sight> {
  const folder = await mkdtemp(join(tmpdir(), 'interview-prep-sight-'));
  const [picture, path] = [join(folder, 'room.png'), join(folder, 'camera.mjpeg')];
  await run('convert', [...room, picture]);
  await run('ffmpeg', [
    '-loglevel',
    'error',
    '-loop',
    '1',
    '-i',
    picture,
    '-t',
    '2',
    '-r',
    '10',
    '-pix_fmt',
    'yuvj420p',
    '-q:v',
    '3',
    path,
  ]);
  return { path, remove: () => rm(folder, { recursive: true, force: true }) };
}
