import { type GroupDetail, invitationsMax, type NewInvitations } from '@interview-prep/contracts/auth/groups';
import { Alert, Button, FileButton, Modal, Group as Row, Stack, Text, Textarea } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconUpload } from '@tabler/icons-react';
import { useState } from 'react';
import { FileErrorList } from '../../../components/file-error-list.tsx';
import { errorMessage } from '../../../lib/api/api-error.ts';
import { useInviteMutation } from '../../../lib/api/groups-api.ts';
import { type FileError, writeCsv } from '../../../lib/csv.ts';
import { datedName, readTextFile, saveFile } from '../../../lib/files.ts';
import { countOf } from '../../../lib/formats.ts';
import { readPeople } from '../../../lib/read-people.ts';
import { toast } from '../../../lib/toasts.ts';

/** The people in pasted text: `Ada <ada@example.com>` or bare addresses, separated by lines, commas or semicolons. */
interface ReadAddresses {
  people: NewInvitations['people'];
  /** Entries that are not email addresses. */
  faults: string[];
}

const address = /^[^\s@<>"]+@[^\s@<>"]+\.[^\s@<>"]+$/;

/** Parses pasted addresses. Duplicates count once. */
export function readAddresses(text: string): ReadAddresses {
  const people = new Map<string, NewInvitations['people'][number]>();
  const faults: string[] = [];
  for (const entry of text.split(/[\n,;]+/).map((one) => one.trim())) {
    if (entry === '') continue;
    const named = /^(.*)<([^<>]*)>$/.exec(entry);
    const email = (named?.[2] ?? entry).trim().toLowerCase();
    const name = (named?.[1] ?? '').trim().replace(/^"(.*)"$/, '$1');
    if (!address.test(email)) faults.push(entry);
    else if (!people.has(email)) people.set(email, { email, name });
  }
  return { people: [...people.values()], faults };
}

const shownFaults = 5;

/** The addresses of a CSV file, in the format of pasted text; or its errors, by row and column. */
async function readFile(file: File): Promise<{ text: string } | { errors: readonly FileError[] }> {
  const read = await readTextFile(file);
  if ('refusal' in read) return { errors: [{ place: 'File', message: read.refusal }] };
  const { people, errors } = await readPeople(read.content);
  if (errors.length > 0) return { errors };
  const lines = people.map(({ email, name }) => (name ? `${name.replace(/[<>,;]/g, ' ')} <${email}>` : email));
  return { text: lines.join('\n') };
}

/** Invites people by pasted addresses or a CSV file. Counts current members and earlier invitations before sending. */
export function InviteDialog({ group, onClose }: { group: GroupDetail; onClose: () => void }) {
  const [text, setText] = useState('');
  const [errors, setErrors] = useState<readonly FileError[]>([]);
  const [links, setLinks] = useState<readonly { email: string; link: string }[]>([]);
  const [invite, { isLoading, error }] = useInviteMutation();
  const small = useMediaQuery('(max-width: 48em)');
  const { people, faults } = readAddresses(text);
  const inside = new Set(group.people.map(({ email }) => email));
  const invited = new Set(group.invitations.map(({ email }) => email));
  const wanted = people.filter(({ email }) => !inside.has(email));
  const again = wanted.filter(({ email }) => invited.has(email)).length;

  const choose = async (file: File) => {
    const read = await readFile(file);
    setErrors('errors' in read ? read.errors : []);
    if ('text' in read) setText([text.trim(), read.text].filter(Boolean).join('\n'));
  };
  const send = async () => {
    const { data } = await invite({ id: group.id, people: wanted });
    if (!data) return;
    if (data.links) return setLinks(data.links);
    toast.success(`${countOf(data.invited, 'invitation')} on the way`);
    onClose();
  };

  const facts = [
    `${countOf(wanted.length, 'person', 'people')} will be invited`,
    again > 0 && `${again} of them again`,
    people.length > wanted.length && `${people.length - wanted.length} already in the group`,
  ].filter(Boolean);
  const refusal =
    wanted.length > invitationsMax
      ? `Invite at most ${invitationsMax.toLocaleString('en-US')} people at a time.`
      : error && errorMessage(error, 'Failed to send the invitations');

  return (
    <Modal opened onClose={onClose} title={`Invite people to “${group.name}”`} size={640} fullScreen={small ?? false}>
      {links.length > 0 ? (
        <Stack>
          <Text>
            No mail server is set up: send these {countOf(links.length, 'link')} yourself. Each can be used once and
            expires in 14 days. They are available only here.
          </Text>
          <Row>
            <Button
              onClick={async () =>
                saveFile(
                  datedName('invitation-links', 'csv'),
                  await writeCsv([['email', 'link'], ...links.map(({ email, link }) => [email, link])]),
                  'text/csv',
                )
              }
            >
              Download the links
            </Button>
            <Button variant="default" onClick={onClose}>
              Close
            </Button>
          </Row>
        </Stack>
      ) : (
        <Stack>
          <Textarea
            label="Email addresses"
            description="One per line, or separated by commas. Names may be in front: Ada Lovelace <ada@example.com>"
            autosize
            minRows={6}
            maxRows={14}
            spellCheck={false}
            data-autofocus
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
          />
          <Row justify="space-between">
            <FileButton accept=".csv,text/csv" onChange={(file) => file && void choose(file)}>
              {(props) => (
                <Button {...props} variant="default" size="xs" leftSection={<IconUpload size={16} aria-hidden />}>
                  Add from a CSV file
                </Button>
              )}
            </FileButton>
            <Text size="sm" c="dimmed" role="status" className="tabular">
              {people.length > 0 && facts.join(', ')}
            </Text>
          </Row>
          {errors.length > 0 && (
            <>
              <Text role="alert" fw={600}>
                Nothing was added. Fix {countOf(errors.length, 'error')} in the file, then choose it again.
              </Text>
              <FileErrorList errors={errors} />
            </>
          )}
          {faults.length > 0 && (
            <Alert color="orange" title={`${countOf(faults.length, 'entry is', 'entries are')} not an email address`}>
              <Text size="sm">
                {faults.slice(0, shownFaults).join(' · ')}
                {faults.length > shownFaults && ' …'}
              </Text>
            </Alert>
          )}
          {refusal && (
            <Text role="alert" c="var(--mantine-color-error)">
              {refusal}
            </Text>
          )}
          <Row justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button
              loading={isLoading}
              disabled={wanted.length === 0 || wanted.length > invitationsMax || faults.length > 0}
              onClick={() => void send()}
            >
              {wanted.length === 0 ? 'Invite' : `Invite ${countOf(wanted.length, 'person', 'people')}`}
            </Button>
          </Row>
        </Stack>
      )}
    </Modal>
  );
}
