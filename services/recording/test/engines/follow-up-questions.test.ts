import { afterEach, describe, expect, it } from 'vitest';
import type { FollowUpRequest } from '../../src/engines/assessor.ts';
import { askByTemplate, findTopics } from '../../src/engines/follow-ups/ask-by-template.ts';
import { followUpTemplates } from '../../src/engines/follow-ups/follow-up-templates.ts';
import { followUpFault } from '../../src/engines/openai/ask-by-model.ts';
import { createOpenAiAssessor } from '../../src/engines/openai/openai-assessor.ts';
import { failure, json, type OpenAiTestServer, startOpenAiServer } from './openai-test-server.ts';

const requestOf = (changes: Partial<FollowUpRequest> = {}): FollowUpRequest => ({
  question: 'How does the event loop work?',
  transcript: 'it takes callbacks from a queue',
  point: 'The microtask queue is emptied before the next task.',
  language: 'en',
  signal: new AbortController().signal,
  ...changes,
});

describe('topics of a point', () => {
  it.each([
    ['A closure keeps the variables of its lexical scope.', 'lexical scope'],
    ['The bank ledger would refuse requests.', 'bank ledger'],
    ['and reclaims it, since the JVM keeps a small pool of carrier threads', 'carrier threads'],
    ['It is called by `useEffect`, and runs later.', 'useEffect'],
    ['That is wrong, and the compiler warns about it.', 'compiler'],
    ['It works, unless the deadline is near, or for a deadline shorter than it.', 'deadline'],
    ['Workers take jobs from the scheduler separately.', 'scheduler'],
  ])('%s', (point, topic) => {
    expect(findTopics(point).map(({ text }) => text)).toContain(topic);
  });

  it('are empty if the point names nothing', () => {
    expect(findTopics('and it does not do so at all')).toEqual([]);
    expect(findTopics('which is the best choice in the worst case, as in practice')).toEqual([]);
  });
});

describe('a template question', () => {
  it.each([
    ['example', 'A static checker, such as mypy, reads the annotations.'],
    ['contrast', 'A bank ledger refuses requests, whereas a shopping cart accepts them.'],
    ['reason', 'It works because the microtask queue is emptied at once.'],
    ['caution', 'The garbage collector cannot reclaim what a closure holds.'],
    ['cost', 'Lookup in the balanced tree is O(log n).'],
    ['number', 'Lookup in the balanced tree takes 20 steps.'],
    ['definition', 'A semaphore is a counter, as of Java 21.'],
    ['order', 'The microtask queue is emptied before anything else.'],
    ['condition', 'If the mutex is locked, the goroutine waits.'],
    ['purpose', 'A semaphore helps to limit concurrency.'],
    ['definition', 'A semaphore is a counter.'],
  ])('asks for what a point of the kind %s says', (kind, point) => {
    const wanted = followUpTemplates.en?.kinds.find(({ name }) => name === kind)?.question;
    expect(wanted).toBeDefined();
    expect(askByTemplate(requestOf({ point }))?.endsWith(` ${wanted}`)).toBe(true);
  });

  it('mentions whether the answer named the topic, in the second person', () => {
    expect(askByTemplate(requestOf())).toMatch(/^You have not mentioned “microtask queue” yet\. .+\?$/);
    expect(askByTemplate(requestOf({ transcript: 'the next task waits for microtask queues' }))).toMatch(
      /^You mentioned “microtask queue”\./,
    );
  });

  it('does not repeat what the question names, and is asked only in English', () => {
    expect(askByTemplate(requestOf({ question: 'What is the microtask queue, and the next task?' }))).toBeNull();
    expect(askByTemplate(requestOf({ language: 'de' }))).toBeNull();
  });

  it('passes the checks for model questions', () => {
    for (const point of ['The microtask queue is emptied before the next task.', 'A semaphore helps to limit threads.'])
      expect(followUpFault(askByTemplate(requestOf({ point })) ?? '', requestOf({ point }))).toBeNull();
  });
});

describe("a model's question", () => {
  it.each([
    ['Why?', 'it is too short'],
    [`You spoke of tasks. ${'And then '.repeat(40)}?`, 'it is too long'],
    ['You spoke of tasks.\nWhat comes between two tasks?', 'it is not plain text of one line'],
    ['See https://example.org/tasks for what comes between tasks?', 'it is not plain text of one line'],
    ['Tell me what comes between two tasks.', 'it is not one question'],
    ['Would you give this answer full marks for the task queue?', 'it speaks to the judge'],
    ['What do you like to cook on Sunday evenings?', 'it is about something else'],
    ['Do you know that the microtask queue is emptied before the next task?', 'it gives the point away'],
    ['How does the event loop work, then?', 'it asks the same question again'],
  ])('“%s” is rejected', (text, fault) => {
    expect(followUpFault(text, requestOf())).toBe(fault);
  });

  it('is asked if it leads to the point', () => {
    expect(followUpFault('You spoke of one queue. What do promises use?', requestOf())).toBeNull();
    expect(followUpFault('What has to happen before the next task may run?', requestOf())).toBeNull();
  });

  let server: OpenAiTestServer | undefined;
  afterEach(async () => {
    await server?.[Symbol.asyncDispose]();
    server = undefined;
  });
  const reply = (question: string) =>
    json({
      choices: [{ message: { content: JSON.stringify({ question }) } }],
      usage: { prompt_tokens: 100, completion_tokens: 20 },
    });
  const ask = async (...replies: Parameters<typeof startOpenAiServer>) => {
    server = await startOpenAiServer(...replies);
    const assessor = createOpenAiAssessor(
      { url: server.url, model: 'judge', timeoutMs: 5000 },
      { promptUsd: 1, completionUsd: 5 },
    );
    return assessor.askFollowUp(requestOf());
  };

  it('reports its cost', async () => {
    const text = 'What has to happen before the next task may run?';
    expect(await ask(reply(` ${text}\n`))).toEqual({
      text,
      usage: { promptTokens: 100, completionTokens: 20, costUsd: 0.0002 },
    });
    const sent = JSON.parse(server?.requests[0]?.body.toString() ?? '{}');
    expect(JSON.parse(sent.messages[1].content)).toEqual({
      question: 'How does the event loop work?',
      transcript: 'it takes callbacks from a queue',
      missing: 'The microtask queue is emptied before the next task.',
      language: 'en',
    });
  });

  it.each([
    ['the model writes something else', [reply('What do you like to cook on Sunday evenings?')]],
    ['the server fails', [failure(500)]],
    ['the server answers with no object', [json({ choices: [{ message: { content: 'no' } }] })]],
  ])('is replaced by the template if %s', async (_, replies) => {
    const asked = await ask(...replies);
    expect(asked?.text).toBe(askByTemplate(requestOf()));
  });

  it('is not waited for once the job is stopped', async () => {
    server = await startOpenAiServer(() => {});
    const assessor = createOpenAiAssessor({ url: server.url, model: 'judge', timeoutMs: 5000 });
    const stopped = new Error('stopped');
    const controller = new AbortController();
    const asked = assessor.askFollowUp(requestOf({ signal: controller.signal }));
    setTimeout(() => controller.abort(stopped), 20);
    await expect(asked).rejects.toBe(stopped);
  });
});
