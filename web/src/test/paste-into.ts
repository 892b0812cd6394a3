import userEvent from '@testing-library/user-event';

/** Pastes text at the end of a field: a single change, whereas typing renders the screen for every key. */
export async function pasteInto(field: Element, text: string): Promise<void> {
  await userEvent.click(field);
  await userEvent.paste(text);
}
