import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { settingsOf } from '@interview-prep/kit/process/config';
import { operatorSettings, type Setting, settings } from '@interview-prep/kit/settings';
import { REPOSITORY } from '@interview-prep/local/settings';
import { z } from 'zod';

/**
 * `npm run settings [-- --check]`: writes the settings table of the README, and the settings in .env.example,
 * docker-compose.yml and the Helm chart, from `services/kit/src/settings.ts`. With `--check` it only compares them, with
 * status 1 if they differ.
 */
const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } });

/** The maximum, not counting passwords, keys and process settings. */
const MAX_SETTINGS = 40;
const LINE_LENGTH = 120;
/** Compose publishes the gateway's port with these; inside the container they are fixed. */
const PUBLISHED: readonly string[] = ['HOST', 'PORT'];

const rows: [string, Setting][] = Object.entries(operatorSettings);
const inCompose = rows.filter(([, row]) => row.compose !== false);

function readmeTable(): string {
  const lines = rows.map(([name, row]) => {
    const shown = row.shownDefault ?? (row.default ? `\`${row.default}\`` : '');
    return `| \`${name}\` | ${shown} | ${row.meaning} |`;
  });
  return ['| setting | default | meaning |', '|---|---|---|', ...lines].join('\n');
}

function comment(text: string): string {
  const lines = ['#'];
  for (const word of text.split(' ')) {
    if (`${lines.at(-1)} ${word}`.length > LINE_LENGTH) lines.push('#');
    lines[lines.length - 1] += ` ${word}`;
  }
  return lines.join('\n');
}

function environmentExample(): string {
  const entries = inCompose.map(([name, row]) => {
    const sentence = row.meaning.replace(/^[a-z]/, (letter) => letter.toUpperCase());
    const plain = sentence.replace(/\[([^\]]+)\]\(([^)]+)\)/g, '$1 ($2)').replaceAll('`', '');
    const byDefault = row.default && !row.compose ? ` (${row.default} if empty)` : '';
    return `${comment(`${plain}${byDefault}.`)}\n${name}=${row.compose || ''}`;
  });
  return entries.join('\n');
}

const containers = ['auth', 'catalog', 'recording', 'worker', 'history', 'gateway'] as const;

function composeAnchors(): string {
  const anchors = containers.map((process) => {
    const names: readonly string[] = settingsOf(process);
    const own = inCompose.filter(([name]) => names.includes(name) && !PUBLISHED.includes(name));
    const lines = own.map(([name, row]) => `  ${name}: \${${name}:-${row.compose || ''}}`);
    return [`x-${process}-settings: &${process}-settings`, ...lines].join('\n');
  });
  return anchors.join('\n\n');
}

/** Fixed inside a pod, or set in the ingress. */
const NOT_IN_CHART: readonly string[] = [...PUBLISHED, 'DATA_DIR', 'TLS_CERT_FILE', 'TLS_KEY_FILE'];

const everyRow = (Object.entries(settings) as [string, Setting][]).filter(([name]) => !NOT_IN_CHART.includes(name));

/** The names of each process's settings and secrets in the chart; "?" marks optional secrets. */
function chartTemplates(): string {
  const define = (name: string, words: string[]) => `{{- define "${name}" }}${words.join(' ')}{{ end }}`;
  const templates = containers.flatMap((process) => {
    const names: readonly string[] = settingsOf(process);
    const own = everyRow.filter(([name]) => names.includes(name));
    const secrets = own.filter(([, { secret }]) => secret);
    const isOptional = ([name, { required }]: [string, Setting]) =>
      name in operatorSettings && !required && name !== 'METRICS_TOKEN';
    return [
      define(
        `${process}.settings`,
        own.flatMap(([name, { secret }]) => (secret || !(name in operatorSettings) ? [] : [name])),
      ),
      define(
        `${process}.secrets`,
        secrets.map((row) => (isOptional(row) ? `${row[0]}?` : row[0])),
      ),
    ];
  });
  return templates.join('\n');
}

/** The JSON Schema of the chart's settings, without secrets; other settings are rejected. */
function chartSchema(): string {
  const plain = everyRow.filter(([name, { secret }]) => !secret && name in operatorSettings);
  const lines = plain.map(([name, { type }]) => {
    const schema = type instanceof z.ZodEnum ? { enum: type.options } : { type: ['string', 'integer', 'boolean'] };
    return `        "${name}": ${JSON.stringify(schema, null, 1)
      .replace(/\s+/g, ' ')
      .replace(/\[ | \]/g, (bracket) => bracket.trim())}`;
  });
  return `      "properties": {\n${lines.join(',\n')}\n      },`;
}

const BEGIN = 'Settings: written by `npm run settings`';
const END = 'End of the settings';
const TARGETS: readonly [path: string, write: () => string, begin: string, end: string][] = [
  ['README.md', readmeTable, `<!-- ${BEGIN} -->`, `<!-- ${END} -->`],
  ['.env.example', environmentExample, `# ${BEGIN}`, `# ${END}`],
  ['docker-compose.yml', composeAnchors, `# ${BEGIN}`, `# ${END}`],
  ['deploy/helm/templates/_settings.tpl', chartTemplates, `{{/* ${BEGIN} */}}`, `{{/* ${END} */}}`],
  ['deploy/helm/values.schema.json', chartSchema, `"$comment": "${BEGIN}",`, `      "description": "${END}"`],
];

let isCurrent = true;
for (const [path, write, begin, end] of TARGETS) {
  const file = join(REPOSITORY, path);
  const text = readFileSync(file, 'utf8');
  const [before, rest] = text.split(`${begin}\n`);
  const after = rest?.split(`\n${end}\n`)[1];
  if (after === undefined) throw new Error(`${path} has no lines "${begin}" and "${end}"`);
  const written = `${before}${begin}\n\n${write()}\n\n${end}\n${after}`;
  if (written === text) continue;
  isCurrent = false;
  if (!values.check) writeFileSync(file, written);
  console.error(values.check ? `${path} does not match the table of settings: npm run settings` : `Wrote ${path}`);
}

const counted = rows.filter(([, { secret }]) => !secret).length;
if (counted > MAX_SETTINGS) console.error(`There are ${counted} settings, more than ${MAX_SETTINGS}.`);
if ((values.check && !isCurrent) || counted > MAX_SETTINGS) process.exitCode = 1;
