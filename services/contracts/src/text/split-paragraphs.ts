const fence = /^\s*(?:```|~~~)/;
const bullet = /^\s*(?:[-*+•‣◦·–—]|\(?(?:\d{1,2}|[a-z])[.)])\s+/;
const headingMark = /^#{1,6}\s+/;
const headingEnd = /[\s:#]/;
const closings = /^[})\]][})\];,]*$/;
const callOrAssignment = /[\w)\]]\s*[=(]/;
const sentenceEnd = /[.!?:;]["')\]]*$/;

/** A Markdown heading introduces the text below it, like a line that ends in a colon. */
function withoutHeadingMarks(line: string): string {
  const mark = headingMark.exec(line);
  if (!mark) return line;
  let end = line.length;
  while (end > mark[0].length && headingEnd.test(line[end - 1]!)) end--;
  return `${line.slice(mark[0].length, end)}:`;
}

/** Whether a line can only be code: it ends in a brace, starts with a closing one, or is a call or an assignment with a semicolon. */
function isCode(line: string): boolean {
  const text = line.trim();
  if (text.endsWith('{') || text.endsWith('}') || closings.test(text)) return true;
  return text.endsWith(';') && callOrAssignment.test(text);
}

/** A shorter line was broken on purpose, not wrapped. */
const wrappedMinCharacters = 40;

const inlineNumber = /(?<=^|\s)\(?(\d{1,2})[.)]\s+(?=\S)/g;

/** Puts each item of a numbered list on one line ("1. … 2. …") on a line of its own. */
function withNumberedItemsOnLines(line: string): string[] {
  const starts: number[] = [];
  for (const { index, 1: number } of line.matchAll(inlineNumber))
    if (Number(number) === starts.length + 1) starts.push(index);
  if (starts.length < 2) return [line];
  return [line.slice(0, starts[0]), ...starts.map((start, item) => line.slice(start, starts[item + 1]))];
}

const isWrapped = (line: string, next: string): boolean =>
  line.length >= wrappedMinCharacters &&
  !sentenceEnd.test(line.slice(-wrappedMinCharacters)) &&
  /^\s*[\p{Ll}\p{N}(`"']/u.test(next);

/** The paragraphs and list items of a text, with its code kept separate. */
export interface Paragraphs {
  prose: string[];
  code: string[];
}

/**
 * Splits a text into its paragraphs and list items, without list markers. Wrapped lines are joined; a deliberate line break
 * starts a new paragraph. Code blocks, fenced or not, are kept separate.
 */
export function splitParagraphs(text: string): Paragraphs {
  const prose: string[] = [];
  const code: string[] = [];
  let fenced = false;
  let open = false;
  for (const line of text.split(/\r\n|\r|\n/)) {
    if (fence.test(line)) {
      fenced = !fenced;
      open = false;
    } else if (fenced || isCode(line)) {
      if (line.trim() !== '') code.push(line.trim());
      open = false;
    } else if (line.trim() === '') {
      open = false;
    } else {
      for (const [part, item] of withNumberedItemsOnLines(line).entries()) {
        if (item.trim() === '') continue;
        const last = prose.at(-1);
        const plain = withoutHeadingMarks(item.replace(bullet, '').trim());
        const continues = open && part === 0 && !bullet.test(item) && last !== undefined && isWrapped(last, item);
        if (continues) prose[prose.length - 1] = `${last} ${plain}`;
        else prose.push(plain);
        open = true;
      }
    }
  }
  return { prose, code };
}
