import { signIn } from './api-client.ts';
import { type Measure, timed } from './measure.ts';

const people = 2000;

export const invitations: Measure = {
  what: `time until emails are queued when a coach invites ${people.toLocaleString('en-US')} people to a group`,
  unit: 's',
  limit: 5,
  async run({ stack }) {
    const { token } = await signIn(stack, 'admin@example.com');
    const send = async <Result>(method: string, path: string, body: object): Promise<Result> => {
      const response = await fetch(`${stack.url}/api/groups${path}`, {
        method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      if (!response.ok) throw new Error(`${method} ${path} returned ${response.status}: ${await response.text()}`);
      return (await response.json()) as Result;
    };
    const name = 'Invited by the bench';
    const { group } = await send<{ group: { id: string } }>('POST', '', { name });
    const invited = Array.from({ length: people }, (_, index) => ({ email: `invited-${index}@example.com` }));
    let queued = 0;
    const ms = await timed(async () => {
      queued = (await send<{ invited: number }>('POST', `/${group.id}/invitations`, { people: invited })).invited;
    });
    // Drops its pending mails, so that sending them doesn't slow other measures.
    await send('PUT', `/${group.id}`, { name, archived: true });
    if (queued !== people) throw new Error(`Expected ${people} queued invitations, got ${queued}`);
    return { value: ms / 1000, from: 'one request through the gateway' };
  },
};
