import { Button, Modal, Group as Row, Stack } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { type ApiError, errorMessage } from '../../lib/api/api-error.ts';
import { FormError } from './busy-fieldset.tsx';
import type { CheckedForm } from './use-checked-form.ts';

interface FormDialogProps<Body> {
  title: string;
  form: CheckedForm<Body>;
  /** Resolves to the server's error if it refused. */
  send: (body: Body) => Promise<ApiError | undefined>;
  /** The error if the server gives no message. */
  failed: string;
  submitLabel: string;
  /** Wider, and on a phone the whole screen. */
  wide?: boolean;
  /** Further buttons, before Cancel. */
  buttons?: ReactNode;
  /** What takes the place of the form once it was sent. */
  outcome?: ReactNode;
  onClose: () => void;
  children: ReactNode;
}

/** A form in a dialog. What is wrong with it as a whole stands above its buttons. */
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
