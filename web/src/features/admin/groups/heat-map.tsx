import type { RosterAnswer } from '@interview-prep/contracts/history/rosters';
import {
  correctFromPercentage,
  partlyFromPercentage,
  shownVerdict,
} from '@interview-prep/contracts/recording/shown-verdict';
import { Box, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { IconChevronUp, IconUserCheck } from '@tabler/icons-react';
import { type KeyboardEvent, memo, useMemo, useRef, useState } from 'react';
import { Link } from 'react-router-dom';
import type { AnswerTrail } from '../../../lib/answer-trail.ts';
import { answerLength } from '../../../lib/formats.ts';
import classes from './heat-map.module.css';
import { answerPath, type HeatMapColumn, type HeatMapRow } from './heat-map-rows.ts';
import { figuresId } from './question-figures.tsx';

interface HeatMapProps {
  columns: readonly HeatMapColumn[];
  rows: readonly HeatMapRow[];
  /** The screen's path. */
  back: string;
  sort: 'name' | 'average';
  onSort: (sort: 'name' | 'average') => void;
}

const verdictOf = (score: number | null) =>
  shownVerdict({ isCorrect: score === null ? null : true, correctnessPercentage: score });

/** The text of a cell: '73%', '1:20' if not judged yet, '–' without an answer. */
function textOf(answer: RosterAnswer | undefined): string {
  if (!answer) return '–';
  if (answer.pending) return '…';
  if (answer.score !== null) return `${answer.score}%`;
  return answer.durationMs === null ? '?' : answerLength(answer.durationMs);
}

/** The addition for screen readers. */
function wordsOf(answer: RosterAnswer | undefined): string {
  if (!answer) return 'not answered';
  if (answer.pending) return 'in progress';
  if (answer.score === null) return 'not judged';
  return answer.reviewed ? 'reviewed by a person' : '';
}

/** The column of names, which link to reports. */
const nameColumn = -1;

/** Where each navigation key moves the focus. */
const moves: Record<string, (row: number, column: number, last: { row: number; column: number }) => [number, number]> =
  {
    ArrowUp: (row, column) => [row - 1, column],
    ArrowDown: (row, column) => [row + 1, column],
    ArrowLeft: (row, column) => [row, column - 1],
    ArrowRight: (row, column) => [row, column + 1],
    Home: (row) => [row, nameColumn],
    End: (row, _, last) => [row, last.column],
    PageUp: (row, column) => [row - 10, column],
    PageDown: (row, column) => [row + 10, column],
  };

const between = (value: number, least: number, most: number) => Math.min(Math.max(value, least), most);

/**
 * Members by questions. A single cell of the table is in the tab order, and the arrow keys move the focus; Enter or a click
 * opens the answer.
 */
export function HeatMap({ columns, rows, back, sort, onSort }: HeatMapProps) {
  const table = useRef<HTMLTableElement>(null);
  const [active, setActive] = useState({ row: 0, column: 0 });
  const last = { row: rows.length - 1, column: columns.length - 1 };
  const [row, column] = [between(active.row, 0, last.row), between(active.column, nameColumn, last.column)];
  // The answers to a question in row order, for stepping from one detail to the next.
  const trails = useMemo(
    () =>
      columns.map(({ question }, index): AnswerTrail => {
        const answers = rows.flatMap(({ name, answers: its }) => {
          const answer = its[index];
          return answer ? [{ path: answerPath(question, answer), name }] : [];
        });
        return { question: question.question, back, answers };
      }),
    [columns, rows, back],
  );
  const sets = Map.groupBy(columns, ({ setTitle }) => setTitle);

  const press = (event: KeyboardEvent) => {
    const move = moves[event.key];
    if (!move || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    const [toRow, toColumn] = move(row, column, last);
    const next = { row: between(toRow, 0, last.row), column: between(toColumn, nameColumn, last.column) };
    setActive(next);
    table.current?.querySelector<HTMLElement>(`[data-at="${next.row} ${next.column}"]`)?.focus();
  };

  const sorter = (by: 'name' | 'average', label: string) => (
    <th scope="col" data-name={by === 'name' || undefined} aria-sort={sort === by ? 'ascending' : 'none'}>
      <UnstyledButton fw={600} fz="sm" onClick={() => onSort(by)}>
        {label} {sort === by && <IconChevronUp size={14} aria-hidden />}
      </UnstyledButton>
    </th>
  );

  return (
    <div className={classes.box}>
      {/* biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: its cells take the focus one at a time */}
      <table ref={table} role="grid" className={classes.table} aria-label="Answers of each member" onKeyDown={press}>
        <thead>
          {!sets.has(null) && (
            <tr>
              <td data-name />
              <td />
              {[...sets].map(([title, its]) => (
                <Box key={title} scope="colgroup" colSpan={its.length} component="th" pt="xs" c="dimmed" fz="xs">
                  {title}
                </Box>
              ))}
            </tr>
          )}
          <tr>
            {sorter('name', 'Member')}
            {sorter('average', 'Average')}
            {columns.map(({ key, label, question: { question, mean } }) => (
              <th key={key} scope="col" title={question}>
                <UnstyledButton
                  className={classes.question ?? ''}
                  onClick={() => {
                    const figures = document.getElementById(figuresId(key));
                    figures?.scrollIntoView({ block: 'start' });
                    figures?.focus({ preventScroll: true });
                  }}
                >
                  <span aria-hidden className={classes.label}>
                    {label.replace('Question ', 'Q')}
                  </span>
                  <VisuallyHidden>
                    {label}: {question}
                  </VisuallyHidden>
                  <span className={classes.mean}>{mean === null ? '–' : `${mean}%`}</span>
                </UnstyledButton>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((each, index) => (
            <MemberRow
              key={each.person.userId}
              row={each}
              at={index}
              activeColumn={index === row ? column : null}
              columns={columns}
              trails={trails}
              onFocus={setActive}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** The legend of the cells' colors and symbols. */
export function HeatMapLegend() {
  const verdicts = [
    ['correct', `Correct, ${correctFromPercentage}% or more`],
    ['partly', `Partially correct, ${partlyFromPercentage}% or more`],
    ['incorrect', 'Incorrect'],
  ] as const;
  return (
    <ul className={classes.legend}>
      {verdicts.map(([verdict, words]) => (
        <li key={verdict}>
          <span className={classes.cell} data-verdict={verdict} />
          {words}
        </li>
      ))}
      <li>
        <IconUserCheck size={14} aria-hidden />
        Reviewed by a person
      </li>
      <li>… In progress</li>
      <li>– Not answered</li>
    </ul>
  );
}

interface MemberRowProps {
  row: HeatMapRow;
  at: number;
  /** The column of the focusable cell; null if it is in another row. */
  activeColumn: number | null;
  columns: readonly HeatMapColumn[];
  trails: readonly AnswerTrail[];
  onFocus: (at: { row: number; column: number }) => void;
}

const MemberRow = memo(function MemberRow({ row, at, activeColumn, columns, trails, onFocus }: MemberRowProps) {
  return (
    <tr>
      <th scope="row" data-name>
        <Link
          to={row.report}
          className={classes.name}
          tabIndex={activeColumn === nameColumn ? 0 : -1}
          data-at={`${at} ${nameColumn}`}
          onFocus={() => onFocus({ row: at, column: nameColumn })}
        >
          {row.name}
        </Link>
      </th>
      <td className={classes.average}>{row.average === null ? '–' : `${row.average}%`}</td>
      {columns.map(({ key, question }, column) => {
        const answer = row.answers[column];
        const cell = {
          className: classes.cell,
          tabIndex: column === activeColumn ? 0 : -1,
          'data-at': `${at} ${column}`,
          'data-verdict': (answer && !answer.pending && verdictOf(answer.score)) || undefined,
          onFocus: () => onFocus({ row: at, column }),
        };
        const content = (
          <>
            {textOf(answer)}
            {answer?.reviewed && <IconUserCheck size={13} aria-hidden className={classes.reviewed} />}
            {wordsOf(answer) && <VisuallyHidden> {wordsOf(answer)}</VisuallyHidden>}
          </>
        );
        return (
          <td key={key}>
            {answer ? (
              <Link to={answerPath(question, answer)} state={{ trail: trails[column] }} {...cell}>
                {content}
              </Link>
            ) : (
              <span {...cell}>{content}</span>
            )}
          </td>
        );
      })}
    </tr>
  );
});
