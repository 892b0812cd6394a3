import { expect, test } from 'vitest';
import { splitSentences } from '../src/text/split-sentences.ts';

/** Texts as lists of sentences: joined by a space, they must be split at the same places. */
const sentences: Record<string, string[]> = {
  'e.g.': ['A cache keeps hot data, e.g. Redis keeps it in memory.', 'It expires old entries.'],
  'i.e.': ['It is idempotent, i.e. Repeating it changes nothing.', 'POST is not.'],
  'i. e. in two parts': ['It is idempotent, i. e. Repeating it changes nothing.', 'POST is not.'],
  'etc. within a sentence': ['Lists, maps, etc. are passed by reference.', 'Numbers are not.'],
  'etc. at an end': ['It stores lists, maps, sets, etc.', 'Redis writes them to disk as well.'],
  'etc. in brackets': ['Stores (Redis, Memcached, etc.) keep data in memory.', 'They are fast.'],
  'vs.': ['The question is SQL vs. NoSQL for this data.', 'Both can work.'],
  'a.k.a.': ['A closure, a.k.a. Lexical scope in an object, keeps its variables.', 'It lives on.'],
  'U.S.': ['The U.S. region is the default.', 'Others are slower.'],
  'big O': ['Lookup takes O(1).', 'Insertion takes O(log n).', 'Iteration takes O(n).'],
  'Node.js within a sentence': ['Node.js runs JavaScript on one thread.', 'Its event loop takes turns.'],
  'Node.js at an end': ['The server runs on Node.js.', 'It is single-threaded.'],
  '.NET': ['C# runs on .NET.', '.NET compiles to an intermediate language.'],
  decimals: ['The load factor is 0.75 by default.', 'At 0.75 the map grows.'],
  versions: ['HTTP 1.1 keeps connections alive.', 'Version 2.0 multiplexes them, and v3.11.2 is current.'],
  'No. before a number': ['See No. 5 of the list.', 'It is short.'],
  'max. before a number': ['Use max. 10 connections.', 'More wait.'],
  'max at an end': ['The heap keeps the max.', 'The root holds it.'],
  'an initial in a name': ['Edgar F. Codd described the relational model.', 'It came in 1970.'],
  'C at an end': ['The kernel is written in C.', 'Drivers are as well.'],
  'C with a name before it': ['We wrote it in Objective C.', 'It worked.'],
  'inline code': ['Call `a.then(b). catch(c)` to handle errors.', 'Await works too.'],
  'a sentence that begins with a name in lower case': [
    'npm installs what package.json names.',
    'node_modules keeps it.',
    'useEffect runs after the render.',
  ],
  brackets: ['TCP (see RFC 793. It is old.) orders its segments.', 'UDP does not.'],
  quotes: ['It is called “eventual consistency.”', 'Reads may be stale.'],
  'a title': ['The idea is due to Dr. Liskov.', 'It is about subtypes.'],
  ellipsis: ['It waits ... for the lock.', 'Then it writes.'],
};

test.each(Object.entries(sentences))('finds the sentences around %s', (_name, parts) => {
  expect(splitSentences(parts.join(' '))).toEqual(parts);
});
