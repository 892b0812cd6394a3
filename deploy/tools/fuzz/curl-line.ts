import type { FormPart, FuzzRequest } from './request.ts';

/** Text as one word of a shell. */
const quoted = (text: string) =>
  /[^\x20-\x7e]/.test(text)
    ? `$'${[...JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"')].join('').replaceAll("'", "\\'")}'`
    : `'${text.replaceAll("'", "'\\''")}'`;

/**
 * The request as a line for the shell, with the product's address in `$URL`.
 * @param names what stands for a token, by the token: `$ADMIN`
 */
export function curlLine({ method, target, headers, body }: FuzzRequest, names: ReadonlyMap<string, string>): string {
  const header = ([name, value]: [string, string]) => {
    const [, token = ''] = /^Bearer (.+)$/.exec(value) ?? [];
    return names.has(token) ? `-H "${name}: Bearer ${names.get(token)}"` : `-H ${quoted(`${name}: ${value}`)}`;
  };
  const part = ({ name, content, fileName }: FormPart) =>
    fileName === undefined
      ? `-F ${quoted(`${name}=${content.toString()}`)}`
      : `-F ${quoted(`${name}=@FILE;filename=${fileName}`)} # a file of ${content.length} bytes`;
  const sent = {
    none: () => [],
    text: () => [`--data-raw ${quoted(body.kind === 'text' ? body.text : '')}`],
    form: () => (body.kind === 'form' ? body.parts.map(part) : []),
  }[body.kind]();
  return ['curl -i', `-X ${method}`, ...Object.entries(headers).map(header), ...sent, `"$URL"${quoted(target)}`].join(
    ' ',
  );
}
