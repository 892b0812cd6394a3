import { type Technology, TechnologyName } from '@interview-prep/contracts/catalog/technologies';
import { messages } from '../../../lib/messages.ts';

/** The verdict on a name: ignore it, reject it with a message, or send it trimmed. */
export type NameVerdict = { kind: 'ignore' } | { kind: 'refuse'; message: string } | { kind: 'send'; name: string };

const key = (name: string) => name.trim().toLowerCase();

function verdictOn(name: string, others: readonly Technology[]): NameVerdict {
  if (others.some((other) => key(other.name) === key(name)))
    return { kind: 'refuse', message: messages.technologies.exists };
  const parsed = TechnologyName.safeParse({ name });
  if (parsed.success) return { kind: 'send', name: parsed.data.name };
  return { kind: 'refuse', message: parsed.error.issues[0]?.message ?? messages.technologies.emptyName };
}

/** Checks the name of a new technology; a blank one is ignored. Source: product specification, section 5. */
export function nameToAdd(name: string, technologies: readonly Technology[]): NameVerdict {
  return name.trim() === '' ? { kind: 'ignore' } : verdictOn(name, technologies);
}

/** Checks a technology's new name: ignores an unchanged one, rejects a blank one. Source: product specification, section 5. */
export function nameToSave(name: string, technology: Technology, technologies: readonly Technology[]): NameVerdict {
  if (name.trim() === '') return { kind: 'refuse', message: messages.technologies.emptyName };
  if (name.trim() === technology.name) return { kind: 'ignore' };
  return verdictOn(
    name,
    technologies.filter(({ id }) => id !== technology.id),
  );
}
