import type { ReviewAgreement } from '@interview-prep/contracts/recording/reviews';

type Figures = NonNullable<ReviewAgreement['all']>;

const figure = (value: number | null) => (value === null ? '-' : value.toFixed(2));

const line = ({ count, difference, pearson, kappa }: Figures, name: string) =>
  [
    String(count).padStart(7),
    difference.toFixed(1).padStart(6),
    figure(pearson).padStart(8),
    figure(kappa).padStart(6),
    ` ${name}`,
  ].join(' ');

const head = 'answers  apart  Pearson  kappa';

/** The agreement as tables: all answers, then by set and by question, the most different first. */
export function agreementText({ all, sets, questions }: ReviewAgreement): string {
  if (!all) return 'No answer has been judged by both machine and person yet.\n';
  const lines = [
    head,
    line(all, 'all'),
    '',
    `${head}  set`,
    ...sets.map((set) => line(set, set.title)),
    '',
    `${head}  question`,
    ...questions.map((each) => line(each, `${each.question.slice(0, 60)} (${each.title})`)),
  ];
  return `${lines.join('\n')}\n`;
}
