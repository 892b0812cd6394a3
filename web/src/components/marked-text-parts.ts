/** A piece of a question or an expert answer: running text, `inline code`, or a fenced block. */
export interface TextPart {
  kind: 'text' | 'code' | 'block';
  text: string;
}

const fence = /```[^\S\n]*(?:[\w+#.-]+[^\S\n]*)?\n([\s\S]*?)\n?```/g;
const inline = /`([^`\n]+)`/g;

function* splitBy(text: string, pattern: RegExp, kind: TextPart['kind']): Generator<TextPart> {
  let end = 0;
  for (const match of text.matchAll(pattern)) {
    if (match.index > end) yield { kind: 'text', text: text.slice(end, match.index) };
    yield { kind, text: match[1] ?? '' };
    end = match.index + match[0].length;
  }
  if (end < text.length) yield { kind: 'text', text: text.slice(end) };
}

/** Splits plain text into text, `inline code` and fenced code. Unclosed code stays text. */
export function textParts(source: string): TextPart[] {
  return [...splitBy(source, fence, 'block')].flatMap((part) =>
    part.kind === 'text' ? [...splitBy(part.text, inline, 'code')] : [part],
  );
}
