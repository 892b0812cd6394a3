import classes from './marked-text.module.css';

/** A piece of a question or an expert answer: running text, `inline code`, or a fenced block. */
interface TextPart {
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

/** Splits plain text into text, `inline code` and fenced code. Unclosed code is plain text. */
export function textParts(source: string): TextPart[] {
  return [...splitBy(source, fence, 'block')].flatMap((part) =>
    part.kind === 'text' ? [...splitBy(part.text, inline, 'code')] : [part],
  );
}

/** Renders a question or an expert answer: plain text with `inline code` and fenced code. Never HTML. */
export function MarkedText({ children }: { children: string }) {
  return (
    <span className={classes.text}>
      {textParts(children.trim()).map(({ kind, text }, index) => {
        // Parts may repeat, so the index is the key.
        const key = `${index}`;
        if (kind === 'text') return <span key={key}>{text}</span>;
        return (
          <code key={key} className={kind === 'block' ? classes.block : classes.code}>
            {text}
          </code>
        );
      })}
    </span>
  );
}
