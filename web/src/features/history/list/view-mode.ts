import type { Role } from '@interview-prep/contracts/users';

/** How a history is shown. */
export type ViewMode = 'all' | 'email' | 'technology';

const modes: readonly { value: ViewMode; label: string; hiddenFor: readonly Role[] }[] = [
  { value: 'all', label: 'View All', hiddenFor: [] },
  { value: 'email', label: 'View by Email', hiddenFor: ['dev'] },
  { value: 'technology', label: 'View by Technologies', hiddenFor: [] },
];

/** The view modes that a role may choose. Source: product specification, section 6. */
export function viewModes(role: Role): { value: ViewMode; label: string }[] {
  return modes.filter(({ hiddenFor }) => !hiddenFor.includes(role)).map(({ value, label }) => ({ value, label }));
}

/** The mode that an address asks for; 'all' for one that is not known or not the role's to see. */
export function viewModeOf(asked: string | null, role: Role): ViewMode {
  return viewModes(role).find(({ value }) => value === asked)?.value ?? 'all';
}
