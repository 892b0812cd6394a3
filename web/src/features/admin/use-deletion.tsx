import { ActionIcon, type ActionIconProps } from '@mantine/core';
import { type ComponentProps, type ReactNode, type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { errorMessage } from '../../lib/api/api-error.ts';
import { toast } from '../../lib/toasts.ts';
import classes from './icon-action.module.css';

type IconActionProps = ActionIconProps & Pick<ComponentProps<'button'>, 'ref' | 'onClick' | 'aria-label'>;

/** A row's secondary action; only its icon fades while it is disabled. */
export function IconAction(props: IconActionProps) {
  return <ActionIcon variant="subtle" color="gray" size="lg" className={classes.action ?? ''} {...props} />;
}

/**
 * The id whose edit has just ended, for one render only, since later renders must not move the focus.
 */
export function useJustEdited(): [id: string | null, setId: (id: string | null) => void] {
  const [id, setId] = useState<string | null>(null);
  useEffect(() => {
    // The effects of the rows (children) have already run.
    if (id !== null) setId(null);
  }, [id]);
  return [id, setId];
}

/** Returns the focus to the Edit button after an edit. */
export function useFocusBack(justEdited: boolean): RefObject<HTMLButtonElement | null> {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (justEdited) button.current?.focus();
  }, [justEdited]);
  return button;
}

interface DiscardDialogProps<T> {
  /** Chooses the item to edit next. */
  confirmation: Confirmation<T>;
  onDiscard: (next: T) => void;
  /** Tells what would be lost. */
  children: ReactNode;
}

/** Asks before another edit starts while the current one has unsaved changes. */
export function DiscardDialog<T>({ confirmation, onDiscard, children }: DiscardDialogProps<T>) {
  return (
    <ConfirmDialog
      opened={confirmation.opened}
      title="Discard changes?"
      confirmLabel="Discard"
      cancelLabel="Keep editing"
      onConfirm={() => {
        confirmation.close();
        if (confirmation.about) onDiscard(confirmation.about);
      }}
      onCancel={confirmation.close}
    >
      {children}
    </ConfirmDialog>
  );
}

/**
 * Runs one task at a time; ignores calls while one is running, such as the second click of a double click.
 */
export function useInFlight(): readonly [busy: boolean, run: (work: () => Promise<void>) => Promise<void>] {
  const [busy, setBusy] = useState(false);
  // A ref, since the second click may come before the state has rendered.
  const underWay = useRef(false);

  const run = useCallback(async (work: () => Promise<void>) => {
    if (underWay.current) return;
    underWay.current = true;
    setBusy(true);
    try {
      await work();
    } finally {
      underWay.current = false;
      // Synchronous: the caller may focus a control that was disabled.
      flushSync(() => setBusy(false));
    }
  }, []);

  return [busy, run];
}

export interface Confirmation<T> {
  opened: boolean;
  /** The item in question. Stays set while the dialog closes, so that its text doesn't flicker. */
  about: T | null;
  ask: (about: T) => void;
  close: () => void;
}

export function useConfirm<T>(): Confirmation<T> {
  const [about, setAbout] = useState<T | null>(null);
  const [opened, setOpened] = useState(false);
  return {
    opened,
    about,
    ask: (subject) => {
      setAbout(subject);
      setOpened(true);
    },
    close: () => setOpened(false),
  };
}

interface DeletionOptions<T> {
  remove: (item: T) => Promise<{ error?: unknown }>;
  /** Reloads the list. */
  refetch?: () => Promise<unknown>;
  /** The success toast, and the error toast if the server sends no message. */
  done: (item: T) => string;
  failed: string;
  /** Runs after a successful deletion, once the dialog has closed. */
  onDeleted?: (item: T) => void;
}

/** A deletion with confirmation: spread `dialog` over its ConfirmDialog. */
export interface Deletion<T> extends Pick<Confirmation<T>, 'about' | 'ask'> {
  busy: boolean;
  dialog: { opened: boolean; busy: boolean; onConfirm: () => void; onCancel: () => void };
}

/** Confirms, deletes an item of a list, and shows the outcome as a toast. */
export function useDeletion<T>({ remove, refetch, done, failed, onDeleted }: DeletionOptions<T>): Deletion<T> {
  const { opened, about, ask, close } = useConfirm<T>();
  const [busy, run] = useInFlight();

  const confirm = () =>
    run(async () => {
      if (about === null) return;
      const { error } = await remove(about);
      // Reload first: the dialog must not return the focus to a row that is about to disappear.
      if (!error) await refetch?.();
      close();
      if (error) {
        toast.error(errorMessage(error, failed));
        return;
      }
      toast.success(done(about));
      onDeleted?.(about);
    });

  return { about, ask, busy, dialog: { opened, busy, onConfirm: () => void confirm(), onCancel: close } };
}
