import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';

/** Presses a button of the page, and gives the dialog that it opens. */
export async function openDialog(button: string | RegExp, dialog?: string): Promise<HTMLElement> {
  const user = userEvent.setup({ delay: null });
  await user.click(await screen.findByRole('button', { name: button }));
  return screen.findByRole('dialog', { name: dialog });
}
