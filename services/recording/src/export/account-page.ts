import type { AccountData } from '@interview-prep/contracts/auth/account-data';
import { escapeHtml, page } from './export-pages.ts';

const timeOf = (instant: string | null): string =>
  instant === null ? 'never' : `${instant.slice(0, 10)} ${instant.slice(11, 16)} UTC`;

const row = (cells: readonly string[], tag: 'td' | 'th' = 'td'): string =>
  `<tr>${cells.map((cell) => `<${tag}>${escapeHtml(cell)}</${tag}>`).join('')}</tr>`;

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return '<p>None.</p>';
  return `<table>${row(head, 'th')}\n${rows.map((cells) => row(cells)).join('\n')}</table>`;
}

/** The page of the account: profile, ways to sign in, sign-ins, events. */
export function accountPage({ user, google, security, groups, signIns, events }: AccountData): string {
  const ways = [
    security.hasPassword && 'password',
    google && 'Google',
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
  const done = events.map(({ at, action, outcome, address }) => [timeOf(at), action, outcome, address ?? '']);
  return page(
    'Account',
    `<p><a href="../index.html">My interview data</a></p>
${table(['Fact', ''], facts)}
<h2>Where you were signed in</h2>
${table(['Device', 'Address', 'Signed in', 'Last used'], places)}
<h2>Groups</h2>
${table(['Group', 'As', 'Joined'], inGroups)}
<h2>What you did, as the audit log has it</h2>
${table(['When', 'What', 'Outcome', 'Address'], done)}
<p><small>All of it: <a href="account.json">account.json</a></small></p>`,
  );
}
