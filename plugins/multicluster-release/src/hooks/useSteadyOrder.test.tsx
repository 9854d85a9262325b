import { act, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useSteadyOrder } from './useSteadyOrder';

const user = userEvent.setup({ delay: null });

function Rows({ wanted }: { wanted: string[] }) {
  const { order, moved, holders } = useSteadyOrder(wanted);
  return (
    <>
      <p>{moved} elsewhere</p>
      <div {...holders}>
        {order.map(name => (
          <button key={name}>{name}</button>
        ))}
      </div>
      <button>outside</button>
    </>
  );
}

function setUp() {
  const { rerender } = render(<Rows wanted={['a', 'b']} />);
  return { want: (...wanted: string[]) => rerender(<Rows wanted={wanted} />) };
}

const button = (name: string) => screen.getByRole('button', { name });
const shown = () =>
  screen
    .getAllByRole('button')
    .map(({ textContent }) => textContent)
    .join(' ');
const focus = (name: string) => act(async () => button(name).focus());

describe('useSteadyOrder', () => {
  it('follows at once where nobody is', () => {
    const { want } = setUp();
    want('b', 'a');
    expect(shown()).toBe('b a outside');
  });

  it('stays while the focus goes from row to row, and follows when it goes out', async () => {
    const { want } = setUp();
    await focus('a');
    want('b', 'a');
    await user.tab();
    expect(button('b')).toHaveFocus();
    expect(shown()).toBe('a b outside');
    expect(screen.getByText('2 elsewhere')).toBeVisible();
    await user.tab();
    expect(button('outside')).toHaveFocus();
    expect(shown()).toBe('b a outside');
  });

  it('stays while the pointer is in, also when the focus goes out', async () => {
    const { want } = setUp();
    await user.hover(button('a'));
    await focus('a');
    want('b', 'a');
    await focus('outside');
    expect(shown()).toBe('a b outside');
    await user.unhover(button('a'));
    expect(shown()).toBe('b a outside');
  });

  it('stays while the focus is in, also when the pointer goes out', async () => {
    const { want } = setUp();
    await user.hover(button('a'));
    await focus('a');
    want('b', 'a');
    await user.unhover(button('a'));
    expect(shown()).toBe('a b outside');
  });

  it('follows when the pointer goes out after the row with the focus has gone', async () => {
    const { want } = setUp();
    await user.hover(button('b'));
    await focus('a');
    want('c', 'b');
    expect(shown()).toBe('b c outside');
    await user.unhover(button('b'));
    expect(shown()).toBe('c b outside');
  });
});
