import type { Calibration, OverruledPoint } from '@interview-prep/contracts/recording/calibration';
import { pointStateNames } from '@interview-prep/contracts/recording/point-states';
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

/** The agreement as tables: all answers, then by set and by question, with the largest differences first. */
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

const day = (time: string) => time.slice(0, 10);

const thresholdsText = ({ covered, partial, contradicted }: Calibration['thresholds']) =>
  `covered from ${covered.toFixed(2)}, partly covered from ${partial.toFixed(2)}, contradicted from ${contradicted.toFixed(2)}`;

/** Why there is no fit, or how the fit did on held-out decisions. */
function fitText({ decisions, needed, fit }: Calibration): string[] {
  if (decisions < needed) return [`${needed - decisions} more decisions are needed to fit the thresholds.`];
  if (!fit) return ['The decisions are about too few answers to fit the thresholds.'];
  const { thresholds, fittedTo, heldOut, before, after, isUsed, at } = fit;
  return [
    `Fitted:     ${thresholdsText(thresholds)} (${day(at)}, to ${fittedTo} decisions)`,
    `On the other ${heldOut} decisions, credit is ${before.toFixed(3)} from people's before and ${after.toFixed(3)} after.`,
    isUsed ? 'That is better: the fitted thresholds are used from now on.' : 'That is not better: nothing changes.',
  ];
}

const overruledLine = ({ title, question, point, decisions, overruled, state }: OverruledPoint) =>
  `${String(overruled).padStart(9)} ${String(decisions).padStart(4)}  ${point} (${question}, ${title}): ${pointStateNames[state].toLowerCase()}`;

/** The calibration of the built-in judge, and the points that people overruled most. */
export function calibrationText(calibration: Calibration): string {
  const { engine, decisions, thresholds, fittedAt, overruled } = calibration;
  const lines = [
    `Judge:      ${engine}`,
    `Decisions:  ${decisions} of admins about its points`,
    `In use:     ${thresholdsText(thresholds)} (${fittedAt === null ? 'from the model' : `fitted ${day(fittedAt)}`})`,
    ...fitText(calibration),
  ];
  if (overruled.length > 0) {
    lines.push('', 'Overruled   of  point, and what people said instead. Another wording may help.');
    lines.push(...overruled.map(overruledLine));
  }
  return `${lines.join('\n')}\n`;
}
