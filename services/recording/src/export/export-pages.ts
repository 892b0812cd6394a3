import type { AccountData } from '@interview-prep/contracts/auth/account-data';
import { parentQuestionOf } from '@interview-prep/contracts/recording/asked-questions';
import { mediaDeletionText } from '@interview-prep/contracts/recording/media-deletion';
import { pointStateNames, stateOf } from '@interview-prep/contracts/recording/point-states';
import { transcriptionText } from '@interview-prep/contracts/recording/transcription-text';
import { escapeHtml } from '@interview-prep/kit/http/escape-html';
import type { Recording } from '../recordings/model.ts';
import type { Session } from '../sessions/model.ts';

const timeOf = (instant: string | null): string =>
  instant === null ? 'never' : `${instant.slice(0, 10)} ${instant.slice(11, 16)} UTC`;

const row = (cells: readonly string[], tag: 'td' | 'th' = 'td'): string =>
  `<tr>${cells.map((cell) => `<${tag}>${escapeHtml(cell)}</${tag}>`).join('')}</tr>`;

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return '<p>None.</p>';
  return `<table>${row(head, 'th')}\n${rows.map((cells) => row(cells)).join('\n')}</table>`;
}

/** The account page: profile, sign-in methods, sign-ins, events. */
export function accountPage({
  user,
  google,
  security,
  groups,
  apiKeys,
  webhooks,
  platforms,
  courseScores,
  signIns,
  events,
}: AccountData): string {
  const ways = [
    security.hasPassword && 'password',
    google && 'Google',
    ...platforms,
    security.totp && `authenticator app, with ${security.recoveryCodesLeft} recovery codes left`,
    security.passkeys.length > 0 && `passkeys: ${security.passkeys.length}`,
  ].filter((way) => way !== false);
  const facts = [
    ['Email', user.email],
    ['Role', user.role],
    ['Technologies', user.technologies.join(', ') || 'none'],
    ['Plan', user.plan],
    ['Account created', timeOf(user.createdAt)],
    ['Last login', timeOf(user.lastLogin)],
    ['Signs in with', ways.join('; ') || 'nothing yet'],
  ];
  const places = signIns.map(({ browser, system, address, signedInAt, lastUsedAt }) => [
    [browser, system].filter(Boolean).join(' on ') || 'Unknown device',
    address ?? 'unknown',
    timeOf(signedInAt),
    timeOf(lastUsedAt),
  ]);
  const inGroups = groups.map(({ name, role, joinedAt }) => [name, role, timeOf(joinedAt)]);
  const keys = apiKeys.map(({ name, start, scopes, createdAt, expiresAt, lastUsedAt }) => [
    `${name} (${start}…)`,
    scopes.join(', '),
    timeOf(createdAt),
    timeOf(expiresAt),
    timeOf(lastUsedAt),
  ]);
  const hooks = webhooks.map((hook) => [hook.url, hook.events.join(', '), timeOf(hook.createdAt)]);
  const scores = courseScores.map(({ course, activity, score, sentAt }) => [
    course,
    activity,
    `${score}%`,
    timeOf(sentAt),
  ]);
  const done = events.map(({ at, action, outcome, address }) => [timeOf(at), action, outcome, address ?? '']);
  return page(
    'Account',
    `<p><a href="../index.html">My interview data</a></p>
${table(['', ''], facts)}
<h2>Sign-ins</h2>
${table(['Device', 'Address', 'Signed in', 'Last used'], places)}
<h2>Groups</h2>
${table(['Group', 'Role', 'Joined'], inGroups)}
<h2>API keys</h2>
${table(['Key', 'For', 'Created', 'Expires', 'Last used'], keys)}
<h2>Webhooks</h2>
${table(['Address', 'Events', 'Created'], hooks)}
<h2>Scores sent to courses</h2>
${table(['Course', 'Activity', 'Score', 'Sent'], scores)}
<h2>Your audit log</h2>
${table(['When', 'What', 'Outcome', 'Address'], done)}
<p><small>All of it: <a href="account.json">account.json</a></small></p>`,
  );
}

const style =
  'body{font:16px/1.5 system-ui,sans-serif;max-width:46rem;margin:2rem auto;padding:0 1rem}article{border-top:1px solid #8886;padding:1rem 0}audio,video{width:100%}blockquote{white-space:pre-wrap;margin:0 0 1rem}small{opacity:.7}table{border-collapse:collapse}td,th{text-align:left;vertical-align:top;padding:.2rem .8rem .2rem 0}:root{color-scheme:light dark}';

/** A self-contained page. @param body HTML */
function page(title: string, body: string): string {
  return `<!doctype html>\n<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(title)}</title><style>${style}</style>\n<h1>${escapeHtml(title)}</h1>\n${body}\n</html>\n`;
}

/** One answer in the zip file. */
export interface ExportedAnswer {
  recording: Recording;
  /** Its media's name in the session's folder; null if it has no media. */
  mediaName: string | null;
  /** The base name of its other files, without an extension. */
  name: string;
}

const dayOf = (date: Date): string => date.toISOString().slice(0, 10);

function player({ recording, mediaName }: ExportedAnswer): string {
  if (mediaName === null) {
    const { mediaDeletion } = recording;
    const reason = mediaDeletion ? mediaDeletionText(mediaDeletion) : 'The recording is not stored any more.';
    return `<p><small>${reason}</small></p>`;
  }
  const element = (recording.playback ?? recording.original).mediaType.startsWith('video/') ? 'video' : 'audio';
  return `<${element} controls preload="none" src="${escapeHtml(mediaName)}"></${element}>`;
}

function verdict({ assessment, correctnessPercentage }: Recording): string {
  if (correctnessPercentage === null) return assessment.reason ? `<p>${escapeHtml(assessment.reason)}</p>` : '';
  const points = (assessment.points ?? []).map(
    (point) =>
      `<li>${pointStateNames[stateOf(point)]}: ${escapeHtml(point.text)}${point.evidence ? ` <q>${escapeHtml(point.evidence)}</q>` : ''}</li>`,
  );
  return `<p><strong>${correctnessPercentage}%</strong></p>${points.length > 0 ? `<ul>${points.join('')}</ul>` : ''}`;
}

function answer(session: Session, exported: ExportedAnswer): string {
  const { recording, name } = exported;
  const { questionId, take, transcription, chatGPTResponse } = recording;
  const files = ['txt', 'json', 'vtt'].map((ending) => `<a href="${name}.${ending}">${ending}</a>`).join(' · ');
  const expert = chatGPTResponse || session.expertAnswers[questionId];
  const source = session.sources?.[questionId];
  const parent = parentQuestionOf(session, questionId);
  return `<article><h2>${escapeHtml(session.questions[questionId] ?? `Question ${questionId + 1}`)}</h2>${source ? `<p><small>From ${escapeHtml(source.title)}</small></p>` : ''}${parent === undefined ? '' : `<p><small>Follow-up to question ${parent + 1}</small></p>`}${take > 1 ? `<p><small>Take ${take}</small></p>` : ''}
${player(exported)}
<blockquote>${escapeHtml(transcriptionText(transcription))}</blockquote>
${verdict(recording)}${expert ? `<details><summary>Expert answer</summary><p>${escapeHtml(expert)}</p></details>` : ''}
<p><small>Transcript: ${files}</small></p></article>`;
}

/** A session's page. */
export function sessionPage(session: Session, answers: readonly ExportedAnswer[]): string {
  const facts = `${session.technology} · ${session.kind} · ${dayOf(session.createdAt)}`;
  const body = answers.map((each) => answer(session, each)).join('\n');
  return page(session.title, `<p><a href="../../index.html">All sessions</a></p><p>${escapeHtml(facts)}</p>\n${body}`);
}

export function indexPage(email: string, sessions: readonly { folder: string; session: ExportedSession }[]): string {
  const items = sessions.map(
    ({ folder, session: { title, technology, kind, createdAt } }) =>
      `<li><a href="${escapeHtml(folder)}/index.html">${escapeHtml(title)}</a> <small>${escapeHtml(technology)} · ${kind} · ${dayOf(createdAt)}</small></li>`,
  );
  const list = items.length > 0 ? `<ul>${items.join('\n')}</ul>` : '<p>No sessions.</p>';
  const account = '<p><a href="account/index.html">Account, sign-ins and events</a></p>';
  return page('My interview data', `<p>${escapeHtml(email)}</p>\n${account}\n${list}`);
}

/** A session as listed on the index page. */
export type ExportedSession = Pick<Session, 'title' | 'technology' | 'kind' | 'createdAt'>;
