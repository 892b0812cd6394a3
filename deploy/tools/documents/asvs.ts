import { citationFault, citations, readText } from './citations.ts';

/** How many requirements of level 1 and 2 each section has. In every section they come before those of level 3. */
const sections = `
  1.1:2 1.2:9 1.3:11 1.4:3 1.5:2 2.1:3 2.2:3 2.3:4 2.4:1 3.2:2 3.3:4 3.4:6 3.5:5 3.7:2 4.1:3 4.2:1 4.3:2 4.4:4
  5.1:1 5.2:3 5.3:2 5.4:3 6.1:3 6.2:12 6.3:4 6.4:4 6.5:5 6.6:3 6.8:4 7.1:3 7.2:4 7.3:2 7.4:5 7.5:2 7.6:2
  8.1:2 8.2:3 8.3:1 8.4:1 9.1:3 9.2:4 10.1:2 10.2:2 10.3:4 10.4:11 10.5:5 10.6:2 10.7:3 11.1:2 11.2:3 11.3:3 11.4:4
  11.5:1 11.6:1 12.1:3 12.2:2 12.3:4 13.1:1 13.2:5 13.3:2 13.4:5 14.1:2 14.2:4 14.3:3 15.1:3 15.2:3 15.3:7
  16.1:1 16.2:5 16.3:4 16.4:3 16.5:3 17.1:1 17.2:4 17.3:2`
  .trim()
  .split(/\s+/)
  .map((entry) => entry.split(':'));
const levels = { '1': 70, '2': 183 };
const states = ['met', 'by setting', 'not applicable', 'missing'];

/** What is wrong with docs/asvs.md: rows, citations, totals. */
export function asvsFaults(): string[] {
  const page = readText('docs/asvs.md');
  const faults: string[] = [];
  const rows = [...page.matchAll(/^\| (\d+)(\.\d+\.\d+) \| (\d) \| ([^|]+) \| ([^|]+) \| ([^|]+) \|$/gm)].map(
    ([, chapter, rest, level, , state = '', held = '']) => ({
      number: `${chapter}${rest}`,
      chapter: `V${chapter}`,
      level,
      state,
      held,
    }),
  );
  const wanted = sections.flatMap(([section, count]) =>
    Array.from({ length: Number(count) }, (_, index) => `${section}.${index + 1}`),
  );
  if (rows.map(({ number }) => number).join() !== wanted.join())
    faults.push('not one row for each requirement, in order');
  for (const [level, count] of Object.entries(levels))
    if (rows.filter((row) => row.level === level).length !== count) faults.push(`level ${level} has not ${count} rows`);
  for (const { number, state, held } of rows) {
    if (!states.includes(state)) faults.push(`${number} has the unknown state ${state}`);
    const cited = citations(held);
    if (/^(met|by setting)$/.test(state) && cited.length === 0) faults.push(`${number} cites nothing`);
    faults.push(...cited.map(citationFault).flatMap((fault) => (fault === null ? [] : [`${number}: ${fault}`])));
  }
  const count = (of: typeof rows) => states.map((state) => of.filter((row) => row.state === state).length);
  const totals = [...new Set(rows.map((row) => row.chapter))].map((chapter) => ({
    name: chapter,
    line: `| ${count(rows.filter((row) => row.chapter === chapter)).join(' | ')} |`,
  }));
  for (const { name, line } of totals)
    if (!page.split('\n').some((each) => each.startsWith(`| ${name} `) && each.endsWith(line)))
      faults.push(`the totals of ${name} are ${line}`);
  const [met, bySetting, notApplicable, missing] = count(rows);
  const sentence = `Of ${rows.length}, ${met} are met, ${bySetting} more with a setting that is named, ${notApplicable} are not applicable, and ${missing} are openly missing`;
  const all = `| **all** | ${count(rows)
    .map((number) => `**${number}**`)
    .join(' | ')} |`;
  return [...faults, ...[sentence, all].filter((text) => !page.includes(text)).map((text) => `lacks: ${text}`)];
}
