import type { Role } from '@interview-prep/contracts/users';

/** How a history is grouped. */
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

/** The mode in the address; 'all' if it is unknown or not allowed for the role. */
export function viewModeOf(asked: string | null, role: Role): ViewMode {
  return viewModes(role).find(({ value }) => value === asked)?.value ?? 'all';
}
