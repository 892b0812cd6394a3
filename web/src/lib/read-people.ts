import { ImportedPerson, importMax } from '@interview-prep/contracts/auth/user-management';
import { type FileError, readCsv } from './csv.ts';

const headings = { email: ['email', 'emailaddress'], name: ['name', 'fullname'], role: ['role'] } as const;

/** The names of roles in files: those on screens, besides the API's own. */
const roles: Readonly<Record<string, string>> = { candidate: 'others', developer: 'dev' };

/**
 * Reads people from a CSV file with the column email and optionally name and role. Every row is validated; a duplicate
 * email is an error in the later row.
 */
export async function readPeople(content: string): Promise<{ people: ImportedPerson[]; errors: FileError[] }> {
  const { rows, errors } = await readCsv<keyof typeof headings>(content, headings, ['email']);
  const people: ImportedPerson[] = [];
  const placeOf = new Map<string, string>();
  for (const { place, cell } of rows) {
    const role = cell('role').toLowerCase();
    const parsed = ImportedPerson.safeParse({
      email: cell('email'),
      name: cell('name'),
      ...(role === '' ? {} : { role: roles[role] ?? role }),
    });
    if (!parsed.success) {
      const found = parsed.error.issues.map(({ path, message }) => ({
        place: `${place}, column ${String(path[0])}`,
        message,
      }));
      errors.push(...found);
      continue;
    }
    const first = placeOf.get(parsed.data.email);
    if (first === undefined) placeOf.set(parsed.data.email, place);
    else
      errors.push({
        place: `${place}, column email`,
        message: `${parsed.data.email} is also in ${first.toLowerCase()}`,
      });
    people.push(parsed.data);
  }
  const { perFile } = importMax;
  if (rows.length === 0 && errors.length === 0) errors.push({ place: 'File', message: 'This file lists no people' });
  if (rows.length > perFile) {
    const message = `This file has ${rows.length.toLocaleString('en-US')} rows. Import at most ${perFile.toLocaleString('en-US')} at a time.`;
    return { people: [], errors: [{ place: 'File', message }] };
  }
  return { people, errors };
}
