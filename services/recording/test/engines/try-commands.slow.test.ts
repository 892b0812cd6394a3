import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { ffmpeg, speakAsWebm, temporaryFolder, wordAccuracy } from './spoken-answer.ts';

const run = promisify(execFile);
const command = (name: string) => fileURLToPath(new URL(`../../src/${name}.ts`, import.meta.url));
/** Uses PocketSphinx, which takes a third of Whisper's time. */
const env = { ...process.env, SPEECH_ENGINE: 'pocketsphinx' };
const node = (name: string, ...args: string[]) => run(process.execPath, [command(name), ...args], { env });

describe('npm run transcribe', () => {
  it('prints the transcript of a spoken recording, using the configured engine', async () => {
    await using folder = await temporaryFolder();
    const text = 'The server sends the answer to the client over the network.';
    const { stdout } = await node('try-transcribe', await speakAsWebm(text, folder.path));
    const printed = JSON.parse(stdout);
    expect(printed).toMatchObject({ hasSpeech: true, language: 'en', engine: 'pocketsphinx en-us' });
    expect(wordAccuracy(text, printed.text)).toBeGreaterThanOrEqual(0.6);
    expect(printed.words.length).toBeGreaterThan(5);
  });

  it('accepts video, and formats that cannot be uploaded', async () => {
    await using folder = await temporaryFolder();
    const path = join(folder.path, 'silent.avi');
    await ffmpeg(
      '-f',
      'lavfi',
      '-i',
      'testsrc=s=64x48:r=5:d=1',
      '-f',
      'lavfi',
      '-i',
      'anullsrc=r=16000',
      '-t',
      '1',
      path,
    );
    expect(JSON.parse((await node('try-transcribe', path)).stdout)).toMatchObject({
      hasSpeech: false,
      text: '',
      words: [],
    });
  });

  it('reports in one line what is wrong with a file', async () => {
    await using folder = await temporaryFolder();
    const path = join(folder.path, 'notes.webm');
    await writeFile(path, 'just text');
    await expect(node('try-transcribe', path)).rejects.toMatchObject({
      code: 1,
      stderr: 'The recording is damaged and cannot be read.\n',
    });
    await expect(node('try-transcribe')).rejects.toMatchObject({ code: 2, stderr: expect.stringContaining('Usage') });
  });
});

describe('npm run assess', () => {
  it('prints each percentage and the correlation', async () => {
    await using folder = await temporaryFolder();
    const path = join(folder.path, 'answers.csv');
    const reference = 'A stack returns the last element first.';
    const rows = [
      ['a', 'a stack gives you back the last element first', 5],
      ['b', '"it has elements, and the first is returned"', 3],
      ['c', 'no idea', 0],
    ];
    await writeFile(
      path,
      `id,question,reference_answer,student_answer,score\n${rows.map(([id, answer, score]) => `${id},How does it work?,${reference},${answer},${score}`).join('\n')}\n`,
    );
    const lines = (await node('try-assess', path)).stdout.trim().split('\n');
    expect(lines.slice(0, 2)).toEqual(['id,score,percentage', 'a,5,100']);
    expect(lines[3]).toBe('c,0,0');
    expect(Number(/^Pearson correlation: (.*)$/m.exec(lines.join('\n'))?.[1])).toBeGreaterThan(0.8);
  });

  it('reports a missing file in one line', async () => {
    await using folder = await temporaryFolder();
    const stderr = expect.stringMatching(/^ENOENT: no such file or directory.*graded\.csv'\n$/);
    await expect(node('try-assess', join(folder.path, 'graded.csv'))).rejects.toMatchObject({ code: 1, stderr });
  });

  it('reports which line lacks what, and judges nothing', async () => {
    await using folder = await temporaryFolder();
    const [csv, jsonl] = [join(folder.path, 'answers.csv'), join(folder.path, 'answers.jsonl')];
    await writeFile(csv, 'id,question\n1,What?\n');
    await expect(node('try-assess', csv)).rejects.toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(/^Line 2: reference_answer: /),
    });
    const question = {
      id: 'q1',
      question: 'What?',
      points: ['One.', 'Two.'],
      answers: [{ text: 'One.', labels: [1] }],
    };
    for (const [line, reason] of [
      [JSON.stringify(question), 'answers.0.labels: there are 1 labels for 2 points'],
      [JSON.stringify({ ...question, answers: [{ text: 'One.', labels: [1, 2] }] }), 'answers.0.labels.1: '],
      ['{"id": "q1"', ''],
    ]) {
      await writeFile(jsonl, `\n${line}\n`);
      await expect(node('try-assess', jsonl)).rejects.toMatchObject({
        code: 2,
        stdout: '',
        stderr: expect.stringContaining(`Line 2: ${reason}`),
      });
    }
  });

  it('prints each point of labeled answers with its quote, and the figures', async () => {
    await using folder = await temporaryFolder();
    const path = join(folder.path, 'answers.jsonl');
    const question = {
      id: 'stacks, queues',
      question: 'How do a stack and a queue differ?',
      points: ['A stack returns the element that was added last.'],
      answers: [
        { style: 'own', text: 'A stack gives back what you put on last, "last in, first out".', labels: [1] },
        { style: 'wrong', text: 'A stack returns the element that was added first, not the last one.', labels: [-1] },
      ],
    };
    await writeFile(path, `${JSON.stringify(question)}\n`);
    const lines = (await node('try-assess', path)).stdout.split('\n');
    expect(lines[0]).toBe('question,answer,point,state,credit,made,contradicted,quote');
    expect(lines[1]).toMatch(/^"stacks, queues",0,0,covered,1,0\.\d+,0\.?\d*,.*last/);
    expect(lines[2]).toMatch(/^"stacks, queues",1,0,contradicted,0,/);
    expect(lines).toContain('answers: 2, points: 2');
    expect(lines).toContain('F1: 1.000');
    expect(lines).toContain('credited of the contrary: 0.0%');
  });
});
