import { allRoutes } from '@interview-prep/contracts/api/routes';
import { buildWebWhenStale } from '@interview-prep/local/build-web';
import { citedTitles, inCode, readAll, readText, unknownTests } from './citations.ts';
import specified from './specified.json' with { type: 'json' };

const oneLine = (text: string) => text.replace(/\s+/g, ' ');

/** The rows of docs/specification.md. */
function readRows() {
  let section = '';
  return readText('docs/specification.md')
    .split('\n')
    .flatMap((line) => {
      if (line.startsWith('## ')) section = line.slice(3);
      if (!line.startsWith('| ') || line.startsWith('| Specification |')) return [];
      const [, words = '', held = ''] = line.split('|');
      return [{ section, words: words.trim(), held: held.trim() }];
    });
}

/** What is wrong with docs/specification.md: words that the built web app lacks, tests that are not there, missing rows. */
export async function specificationFaults(): Promise<string[]> {
  await buildWebWhenStale(() => undefined);
  const webApp = oneLine(readAll('web/dist', /\.(js|html)$/));
  const rows = readRows();
  // A number proves nothing by being somewhere in the web app: the row's tests hold it.
  const isNumber = (word: string) => /^[\d.:]+$/.test(word);
  const faults = rows.flatMap(({ section, words, held }) => {
    const shown = inCode(words).flatMap((word) => (isNumber(word) ? [] : word.split(/\{[^}]*\}/)));
    const missing = shown.filter((part) => !webApp.includes(oneLine(part.trim())));
    const unknown = held.split('<br>').flatMap((one) => {
      const [folder = ''] = inCode(one);
      const titles = citedTitles(one);
      return titles.length === 0 ? [`no test of ${folder} is named`] : unknownTests(folder, titles);
    });
    return [
      ...missing.map((part) => `${section}: "${part}" is not in the built web app`),
      ...unknown.map((title) => `${section}: no such test: ${title}`),
    ];
  });

  const wordsOf = (number: number) =>
    rows.filter(({ section }) => section.startsWith(`${number}. `)).map(({ words }) => words);
  const sections = [...new Set(rows.map(({ section }) => section.slice(0, 1)))].join('');
  const calls = allRoutes.map(([, route]) => `${route.method.toUpperCase()} ${route.path.replace(/:\w+/g, '{id}')}`);
  const wanted: [text: string, isThere: boolean][] = [
    ['the sections 1 to 9', sections === '123456789'],
    ...specified.messages.map((text): [string, boolean] => [text, wordsOf(8).flatMap(inCode).includes(text)]),
    ...specified.constants.map(([what = '', value = '']): [string, boolean] => [
      `${what}: ${value}`,
      wordsOf(9).some((words) => words.includes(what) && inCode(words).includes(value)),
    ]),
    ...specified.rules.map((rule): [string, boolean] => [rule, wordsOf(9).some((words) => words.startsWith(rule))]),
    ...specified.routes.map((path): [string, boolean] => [path, wordsOf(2).some((words) => inCode(words)[0] === path)]),
    ...specified.calls.map((call): [string, boolean] => {
      const [method, path] = call.split(' ');
      return [call, calls.includes(call) && wordsOf(7).some((words) => words.startsWith(`${method} \`${path}\``))];
    }),
  ];
  return [...faults, ...wanted.flatMap(([text, isThere]) => (isThere ? [] : [`lacks ${text}`]))];
}
