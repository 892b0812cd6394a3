import { type ImportedPerson, type ImportedUser, importMax } from '@interview-prep/contracts/auth/user-management';
import { Anchor, Badge, Box, Button, Checkbox, FileButton, Group, Modal, Progress, Stack, Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconUpload } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { FileErrorList } from '../../../components/file-error-list.tsx';
import lists from '../../../components/import-lists.module.css';
import { errorMessage } from '../../../lib/api/api-error.ts';
import { api } from '../../../lib/api/base-api.ts';
import { endpoint } from '../../../lib/api/route-request.ts';
import { type FileError, writeCsv } from '../../../lib/csv.ts';
import { datedName, readTextFile, saveFile } from '../../../lib/files.ts';
import { countOf, roleName } from '../../../lib/formats.ts';
import { fallbacks } from '../../../lib/messages.ts';
import { readPeople } from '../../../lib/read-people.ts';

const { useImportUsersMutation } = api.injectEndpoints({
  endpoints: (build) => ({
    importUsers: build.mutation({
      ...endpoint('importUsers', 'users'),
      extraOptions: { fallback: fallbacks.importUsers },
    }),
  }),
});

type State =
  | { step: 'choosing' }
  | { step: 'invalid'; errors: readonly FileError[] }
  /** `users` have been imported; `failure` is why the rest have not. */
  | {
      step: 'ready' | 'importing' | 'done';
      people: readonly ImportedPerson[];
      users: readonly ImportedUser[];
      failure?: string;
    };

interface PeopleImportProps {
  /** The emails of existing users. */
  known: ReadonlySet<string>;
  /** Called on close; `changed` if anyone was imported. */
  onClose: (changed: boolean) => void;
  /** Whether leaving now would stop the import. */
  onPending: (pending: boolean) => void;
}

const example = [
  ['email', 'name', 'role'],
  ['ada@example.com', 'Ada Lovelace', 'candidate'],
  ['alan@example.com', 'Alan Turing', 'developer'],
];

/**
 * Imports people from a CSV file: choose, fix errors by row and column, confirm. New users are created and existing ones
 * left unchanged, so the import can be repeated after a failure, or with the same file.
 */
export default function PeopleImport({ known, onClose, onPending }: PeopleImportProps) {
  const [state, setState] = useState<State>({ step: 'choosing' });
  const [invite, setInvite] = useState(true);
  const [importUsers] = useImportUsersMutation();
  const small = useMediaQuery('(max-width: 48em)');
  const here = useRef(true);
  useEffect(() => {
    here.current = true;
    return () => {
      here.current = false;
    };
  }, []);

  const choose = async (file: File) => {
    const read = await readTextFile(file);
    if ('refusal' in read) return setState({ step: 'invalid', errors: [{ place: 'File', message: read.refusal }] });
    const { people, errors } = await readPeople(read.content);
    setState(errors.length > 0 ? { step: 'invalid', errors } : { step: 'ready', people, users: [] });
  };

  const run = async (people: readonly ImportedPerson[], before: readonly ImportedUser[]) => {
    let users = before;
    const through = new Set(users.map(({ email }) => email));
    const waiting = people.filter(({ email }) => !known.has(email) && !through.has(email));
    setState({ step: 'importing', people, users });
    for (let at = 0; at < waiting.length && here.current; at += importMax.perCall) {
      const { data = [], error } = await importUsers({ people: waiting.slice(at, at + importMax.perCall), invite });
      if (error) return setState({ step: 'done', people, users, failure: errorMessage(error, fallbacks.importUsers) });
      users = [...users, ...data];
      setState({ step: 'importing', people, users });
    }
    setState({ step: 'done', people, users });
  };

  const people = 'people' in state ? state.people : [];
  const users = 'users' in state ? state.users : [];
  const added = people.filter(({ email }) => !known.has(email));
  const importing = state.step === 'importing';
  useEffect(() => onPending(importing), [importing, onPending]);
  const links = users.flatMap(({ email, passwordLink }) => (passwordLink?.link ? [[email, passwordLink.link]] : []));
  const saveLinks = async () =>
    saveFile(datedName('password-links', 'csv'), await writeCsv([['email', 'link'], ...links]), 'text/csv');

  const chooser = (label: string, variant: 'filled' | 'default') => (
    <FileButton accept=".csv,text/csv" onChange={(file) => file && void choose(file)}>
      {(props) => (
        <Button {...props} variant={variant} leftSection={<IconUpload size={16} aria-hidden />}>
          {label}
        </Button>
      )}
    </FileButton>
  );
  const close = () => {
    if (!importing) onClose(users.length > 0);
  };

  return (
    <Modal
      opened
      onClose={close}
      title="Import users"
      size={720}
      fullScreen={small ?? false}
      closeButtonProps={{ 'aria-label': 'Close', disabled: importing }}
    >
      <Stack>
        {state.step === 'choosing' && (
          <>
            <Text>
              Choose a CSV file. All rows are checked first, and nothing is imported until you confirm. Users who exist
              already are left as they are.
            </Text>
            <Text size="sm" c="dimmed">
              The first row names the columns: <b>email</b>, and if you like <b>name</b> and <b>role</b> (candidate,
              developer or admin; candidate if left blank). At most {importMax.perFile.toLocaleString('en-US')} rows.{' '}
              <Anchor
                component="button"
                type="button"
                inherit
                onClick={async () => saveFile('people-example.csv', await writeCsv(example), 'text/csv')}
              >
                Download an example
              </Anchor>
            </Text>
            <Group>{chooser('Choose a CSV file', 'filled')}</Group>
          </>
        )}
        {state.step === 'invalid' && (
          <>
            <Text role="alert" fw={600}>
              Nothing is imported yet. Fix {countOf(state.errors.length, 'error')} in the file, then choose it again.
            </Text>
            <FileErrorList errors={state.errors} />
            <Group>{chooser('Choose the file again', 'filled')}</Group>
          </>
        )}
        {'people' in state && (
          <>
            <Text role="status" fw={600} className="tabular">
              {state.step === 'ready'
                ? `${countOf(added.length, 'user')} will be added${added.length < people.length ? `, ${people.length - added.length} unchanged` : ''}. Nothing is imported yet.`
                : `${users.length} of ${countOf(added.length, 'user')} imported`}
            </Text>
            {importing && <Progress value={(100 * users.length) / Math.max(1, added.length)} aria-label="Progress" />}
            {state.failure && (
              <Text role="alert" c="var(--mantine-color-error)">
                {state.failure}
              </Text>
            )}
            <ul className={lists.list} aria-label="People in the file">
              {people.slice(0, 200).map(({ email, name, role }) => (
                <li key={email} className={lists.set}>
                  <Box miw={0}>
                    <Text size="sm" fw={600}>
                      {email}
                    </Text>
                    <Text size="xs" c="dimmed">
                      {[name, roleName(role)].filter(Boolean).join(' · ')}
                    </Text>
                  </Box>
                  {known.has(email) && (
                    <Badge variant="default" tt="none" fw={500} flex="none">
                      Exists already
                    </Badge>
                  )}
                </li>
              ))}
              {people.length > 200 && <li>And {people.length - 200} more</li>}
            </ul>
            {state.step === 'ready' && added.length > 0 && (
              <Checkbox
                label="Invite new users to set a password"
                description="By email; without a mail server you get their links as a file. Leave it off if they sign in with a provider."
                checked={invite}
                onChange={(event) => setInvite(event.currentTarget.checked)}
              />
            )}
            {links.length > 0 && state.step === 'done' && (
              <Text size="sm">
                No mail server is set up: send these links yourself. Each can be used once, and they are available only
                here.
              </Text>
            )}
            <Group>
              {(state.step === 'ready' || state.failure) && (
                <Button disabled={added.length === 0} onClick={() => void run(people, users)}>
                  {added.length === 0 ? 'Nothing to import' : `Import ${countOf(added.length - users.length, 'user')}`}
                </Button>
              )}
              {links.length > 0 && state.step === 'done' && (
                <Button onClick={() => void saveLinks()}>Download the links</Button>
              )}
              {state.step === 'ready' ? (
                chooser('Choose another file', 'default')
              ) : (
                <Button variant="default" loading={importing} onClick={close}>
                  Close
                </Button>
              )}
            </Group>
          </>
        )}
      </Stack>
    </Modal>
  );
}
