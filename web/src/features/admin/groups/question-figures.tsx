import type { RosterAnswer } from '@interview-prep/contracts/history/rosters';
import { Anchor, Text, Title } from '@mantine/core';
import { Link } from 'react-router-dom';
import { MarkedText } from '../../../components/marked-text.tsx';
import { SentencePart } from '../../../components/sentence-part.tsx';
import type { AnswerTrail } from '../../../lib/answer-trail.ts';
import { answerLength, countOf } from '../../../lib/formats.ts';
import { answerPath, type HeatMapColumn, type HeatMapRow } from './heat-map-rows.ts';
import classes from './question-figures.module.css';

/** The element id of a question's statistics. */
export function figuresId(key: string): string {
  return `figures-${key}`;
}

const fifthNames = ['0–19%', '20–39%', '40–59%', '60–79%', '80–100%'];

interface QuestionFiguresProps {
  column: HeatMapColumn;
  rows: readonly HeatMapRow[];
  /** The screen's path. */
  back: string;
}

/** The members' results on a question: scores, the points missed most often, and answers worth listening to. */
export function QuestionFigures({ column, rows, back }: QuestionFiguresProps) {
  const { key, label, setTitle, answers } = column;
  const { kind, question, mean, fifths, missed, listen, lengths } = column.question;
  const scored = fifths.reduce((sum, count) => sum + count, 0);
  const named = [
    ...(listen
      ? ([
          ['Best', listen.best],
          ['Typical', listen.typical],
          ['Weakest', listen.weakest],
        ] as const)
      : []),
    ...(lengths
      ? ([
          ['Longest', lengths.longest],
          ['Shortest', lengths.shortest],
        ] as const)
      : []),
  ].flatMap(([which, userId]) => {
    const answer = answers.get(userId);
    const name = rows.find(({ person }) => person.userId === userId)?.name;
    return answer && name ? [{ which, answer, name, path: answerPath(column.question, answer) }] : [];
  });
  const trail: AnswerTrail = { question, back, answers: named };
  return (
    <section id={figuresId(key)} tabIndex={-1} className={classes.card} aria-label={`${label}: ${question}`}>
      <div>
        <Text size="xs" c="dimmed">
          {label}
          {setTitle && ` · ${setTitle}`}
        </Text>
        <Title order={2} size="h4">
          <MarkedText>{question}</MarkedText>
        </Title>
        <Text size="sm" c="dimmed" className="tabular">
          {answers.size} of {rows.length} answered
          {mean !== null && ` · ${mean}% on average`}
        </Text>
      </div>
      <div className={classes.columns}>
        {kind === 'interview' && (
          <div>
            <Title order={3} size="sm">
              Scores
            </Title>
            {scored === 0 ? (
              <Text size="sm" c="dimmed">
                None yet.
              </Text>
            ) : (
              <table className={classes.scores} aria-label={`${label}: answers by score`}>
                <tbody>
                  {fifthNames.map((name, index) => (
                    <tr key={name}>
                      <th scope="row">{name}</th>
                      <td>
                        <span
                          className={classes.bar}
                          style={{ width: `${(100 * (fifths[index] ?? 0)) / Math.max(...fifths)}%` }}
                        />
                      </td>
                      <td>{fifths[index]}</td>
                    </tr>
                  ))}
                </tbody>
              </table>
            )}
          </div>
        )}
        {kind === 'interview' && (
          <div>
            <Title order={3} size="sm">
              Points missed most
            </Title>
            {missed.length === 0 ? (
              <Text size="sm" c="dimmed">
                {scored === 0 ? 'None yet.' : 'Every answer makes every point.'}
              </Text>
            ) : (
              <ol className={classes.missed}>
                {missed.map(({ text, before, after, times, of }) => (
                  <li key={`${before}${text}`}>
                    <SentencePart before={before} point={text} after={after} />
                    <Text size="xs" c="dimmed">
                      Missing or partial in {times} of {countOf(of, 'answer')}
                    </Text>
                  </li>
                ))}
              </ol>
            )}
          </div>
        )}
        {named.length > 0 && (
          <div>
            <Title order={3} size="sm">
              Worth listening to
            </Title>
            <dl className={classes.listen}>
              {named.map(({ which, answer, name, path }) => (
                <div key={which}>
                  <dt>{which}</dt>
                  <dd>
                    <Anchor component={Link} to={path} state={{ trail }} size="sm">
                      {name}
                    </Anchor>{' '}
                    <Text span size="sm" c="dimmed" className="tabular">
                      {figureOf(answer, which)}
                    </Text>
                  </dd>
                </div>
              ))}
            </dl>
          </div>
        )}
      </div>
    </section>
  );
}

const figureOf = ({ score, durationMs }: RosterAnswer, which: string) =>
  which === 'Longest' || which === 'Shortest' ? answerLength(durationMs ?? 0) : `${score}%`;
