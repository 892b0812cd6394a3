import { randomUUID } from 'node:crypto';
import type { Random } from '../random.ts';
import type { Answer, Client } from './client.ts';
import type { Journal, Operation } from './journal.ts';

/** How often a lost part is looked for: once for each part, and once more. */
const MAX_ROUNDS = 10;
const MAX_PARTS = 6;

/**
 * Sends an answer in parts as a browser does on a bad day: parts are sent twice, in any order, and by two tabs at once; one is
 * lost until the product says that it is missing. A call without an answer is repeated.
 * @returns the answer to its completion; undefined where there was none
 */
export async function sendInParts(
  client: Client,
  { operation, target, bytes }: { operation: Operation; target: object; bytes: Uint8Array<ArrayBuffer> },
  random: Random,
  journal: Journal,
): Promise<Answer | undefined> {
  const path = `/api/uploads/${randomUUID()}`;
  const begun = await client.call(operation, { method: 'PUT', path, body: target });
  if (begun?.status !== 200) return begun;
  const sizeBytes = Math.ceil(bytes.length / (2 + random.below(MAX_PARTS - 1)));
  const count = Math.ceil(bytes.length / sizeBytes);
  const send = (number: number) => {
    const body = bytes.slice(number * sizeBytes, (number + 1) * sizeBytes);
    return client.call(operation, { method: 'PUT', path: `${path}/parts/${number}`, body });
  };
  const complete = async () => {
    for (let round = 0; round < MAX_ROUNDS; round += 1) {
      const answer = await client.call(operation, { method: 'POST', path: `${path}/complete`, body: { parts: count } });
      if (answer?.status !== 409) return answer;
      const found = await client.call(operation, { method: 'GET', path });
      await send((found?.body as { upload: { nextPart: number } } | undefined)?.upload.nextPart ?? 0);
    }
    return undefined;
  };
  const sendAll = async () => {
    const numbers = Array.from({ length: count }, (_, number) => number);
    const lost = random.pick(numbers);
    const twice = numbers.filter(() => random.next() < 0.3);
    for (const number of random.shuffled([...numbers, ...twice])) if (number !== lost) await send(number);
    return complete();
  };
  const tabs = random.next() < 0.3 ? 2 : 1;
  const answers = await Promise.all(Array.from({ length: tabs }, sendAll));
  const ids = new Set(answers.flatMap((answer) => idOf(answer) ?? []));
  if (ids.size > 1)
    journal.report('doubled', `Two tabs made ${ids.size} recordings`, operation.subject, operation.faults);
  return answers.find(idOf) ?? answers[0];
}

const idOf = (answer: Answer | undefined) =>
  (answer?.body as { recording?: { _id?: string } } | undefined)?.recording?._id;
