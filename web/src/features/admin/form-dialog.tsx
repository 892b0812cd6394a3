import { Button, Modal, Group as Row, Stack } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { type ApiError, errorMessage } from '../../lib/api/api-error.ts';
import { FormError } from './busy-fieldset.tsx';
import type { CheckedForm } from './use-checked-form.ts';

interface FormDialogProps<Body> {
  title: string;
  form: CheckedForm<Body>;
  /** Resolves to the server's error if it was rejected. */
  send: (body: Body) => Promise<ApiError | undefined>;
  /** The fallback message, if the server sends none. */
  failed: string;
  submitLabel: string;
  /** Uses a wider dialog, full-screen on a phone. */
  wide?: boolean;
  /** Additional buttons, before Cancel. */
  buttons?: ReactNode;
  /** Replaces the form once it has been submitted. */
  outcome?: ReactNode;
  onClose: () => void;
  children: ReactNode;
}

/** A form in a dialog. Form-level errors are shown above its buttons. */
export function FormDialog<Body>(props: FormDialogProps<Body>) {
  const { title, form, send, failed, submitLabel, wide = false, buttons, outcome, onClose, children } = props;
  const small = useMediaQuery('(max-width: 48em)') ?? false;
  return (
    <Modal opened onClose={onClose} title={title} fullScreen={wide && small} {...(wide && { size: 640 })}>
      {outcome ?? (
        <form ref={form.form} onSubmit={(event) => form.submit(event, send)} noValidate>
          <Stack>
            {children}
            {form.refusal && <FormError>{errorMessage(form.refusal, failed)}</FormError>}
            <Row justify="flex-end">
              {buttons}
              <Button variant="default" onClick={onClose}>
                Cancel
              </Button>
              <Button type="submit" loading={form.busy}>
                {submitLabel}
              </Button>
            </Row>
          </Stack>
        </form>
      )}
    </Modal>
  );
}
