import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';

/** Says yes to the question whether a hold is to be released. */
export async function confirmRelease(): Promise<void> {
  const question = await screen.findByRole('dialog', { name: /^Release the hold on/ });
  const user = userEvent.setup({ delay: null });
  await user.click(within(question).getByRole('button', { name: 'Release the hold' }));
}
