import { makePasskey } from '@interview-prep/kit/testing/software-passkey';
import { inWords } from './requests.ts';
import type { Attack } from './world.ts';

/** Issue 26, "Who gets in". */
export const signInAttacks: readonly Attack[] = [
  {
    name: 'With the password alone, set up an authenticator app beside the passkey of somebody whose role needs it',
    async run({ call, withPasskey }) {
      const { user } = await withPasskey();
      const { email, password } = user;
      const answer = await call({ method: 'POST', path: '/api/auth/login', body: { email, password } });
      return { succeeded: answer.status === 200, answered: inWords(answer) };
    },
  },
  {
    name: 'Remove the passkey that is the only second factor of a role that needs one',
    async run({ call, withPasskey, passkeySignIn }) {
      const { passkey } = await withPasskey();
      const { token } = (await passkeySignIn(passkey)).body.user;
      const answer = await call({ method: 'DELETE', path: `/api/auth/passkeys/${passkey.id}`, token });
      return { succeeded: answer.status < 300, answered: inWords(answer) };
    },
  },
  {
    name: 'Collect 15 challenges, and add more than ten passkeys at once',
    async run({ candidate, passkeyChallenge, addPasskey }) {
      const { token } = await candidate();
      const challenges: string[] = [];
      for (let n = 0; n < 15; n += 1) challenges.push(await passkeyChallenge(token));
      const answers = await Promise.all(challenges.map((each) => addPasskey(token, makePasskey(), each)));
      const added = answers.filter(({ status }) => status === 201).length;
      return { succeeded: added > 10, answered: `${added} of 15 added` };
    },
  },
  {
    name: 'Keep a passkey on an account whose owner resets the password by mail, and removes all other access',
    async run({ call, ask, candidate, addPasskey, passkeySignIn, mailedToken }) {
      const { email, token } = await candidate();
      const passkey = makePasskey();
      await addPasskey(token, passkey);
      await ask({ method: 'POST', path: '/api/auth/forgot-password', body: { email } });
      const body = { token: await mailedToken(email), password: 'a new long password' };
      const reset = await ask<{ ticket?: string; access?: { passkeys: unknown[] } }>({
        method: 'POST',
        path: '/api/auth/reset-password',
        body,
      });
      const listed = reset.access?.passkeys.length ?? 0;
      const path = '/api/auth/reset-password/remove-access';
      await call({ method: 'POST', path, body: { ticket: reset.ticket ?? '' } });
      const answer = await passkeySignIn(passkey);
      return { succeeded: answer.status === 200, answered: `${listed} passkey listed; then ${inWords(answer)}` };
    },
  },
  {
    name: 'With somebody’s mailbox, get rid of the passkey that their role needs, and set up a factor of one’s own',
    async run({ call, ask, withPasskey, mailedToken }) {
      const { email } = (await withPasskey()).user;
      await ask({ method: 'POST', path: '/api/auth/forgot-password', body: { email } });
      const body = { token: await mailedToken(email), password: 'a new long password' };
      const { ticket } = await ask<{ ticket: string }>({ method: 'POST', path: '/api/auth/reset-password', body });
      await call({ method: 'POST', path: '/api/auth/reset-password/remove-access', body: { ticket } });
      const login = { email, password: 'a new long password' };
      const answer = await call({ method: 'POST', path: '/api/auth/login', body: login });
      return { succeeded: answer.status === 200, answered: inWords(answer) };
    },
  },
  {
    name: 'Ask for 150 passkey and OpenID options, and so lock out everybody behind the same proxy',
    async run({ call, candidate, addPasskey, passkeySignIn }) {
      const { token } = await candidate();
      const passkey = makePasskey();
      await addPasskey(token, passkey);
      for (let n = 0; n < 150; n += 1)
        for (const path of ['/api/auth/passkey-sign-in/options', '/api/auth/oidc'])
          await call({ method: 'POST', path });
      const [answer, oidc] = [await passkeySignIn(passkey), await call({ method: 'POST', path: '/api/auth/oidc' })];
      return {
        succeeded: answer.status !== 200 || oidc.status !== 200,
        answered: `the owner's sign-in: ${inWords(answer)}; by the provider: ${inWords(oidc)}`,
      };
    },
  },
  {
    name: 'Sign in to one account 70 times in 15 minutes',
    async run({ call, candidate }) {
      const { email, password } = await candidate();
      let answer = await call({ method: 'POST', path: '/api/auth/login', body: { email, password } });
      let count = 1;
      for (; answer.status === 200 && count < 70; count += 1)
        answer = await call({ method: 'POST', path: '/api/auth/login', body: { email, password } });
      return { succeeded: answer.status === 200, answered: `${count} sign-ins, then ${inWords(answer)}` };
    },
  },
  {
    name: 'At an admin’s unlocked computer, read somebody’s data, and end their sign-ins',
    async run({ call, candidate, adminSince }) {
      const { id } = await candidate();
      // A sign-in counts as recent for ten minutes.
      const token = await adminSince(11 * 60);
      const me = await call({ path: '/api/auth/me', token });
      if (me.status !== 200) return { succeeded: true, answered: `the sign-in does not work: ${inWords(me)}` };
      const answers = [
        await call({ method: 'POST', path: '/api/recordings/export', body: { userId: id }, token }),
        await call({ path: `/api/auth/account-data?userId=${id}`, token }),
        await call({ method: 'POST', path: '/api/audit/entries.csv', body: {}, token }),
        await call({ method: 'DELETE', path: `/api/users/${id}/sign-ins`, token }),
      ];
      return {
        succeeded: answers.some(({ status }) => status < 300),
        answered: answers.map(({ status, body }) => `${status} ${body?.code ?? ''}`).join(', '),
      };
    },
  },
];

/** Runs last, since it uses up the failed attempts of this address. LOGIN_ATTEMPTS is 1 here. */
export const forwardedForAttack: Attack = {
  name: 'Guess passwords of many emails without end, behind an X-Forwarded-For of one’s own',
  async run({ call }) {
    for (let n = 1; n <= 150; n += 1) {
      const body = { email: `guess-${n}@example.com`, password: 'password' };
      const headers = { 'x-forwarded-for': `203.0.113.${n}` };
      const answer = await call({ method: 'POST', path: '/api/auth/login', body, headers });
      if (answer.status === 429) return { succeeded: n <= 10, answered: `after ${n - 1} guesses ${inWords(answer)}` };
    }
    return { succeeded: true, answered: '150 guesses, each answered' };
  },
};
