import type { AnchorHTMLAttributes, ButtonHTMLAttributes, ReactNode, Ref } from 'react';
import { classNames } from '../class-names.ts';
import styles from './button.module.css';

interface Look {
  /** `primary` for the button that continues; a screen has one. */
  readonly look?: 'primary' | 'secondary' | 'ghost' | 'pill';
}

/** The name of each look in the rules of a host (UI-9). */
const partOf = { primary: 'button', secondary: 'button-secondary', ghost: undefined, pill: undefined } as const;

interface ButtonProps extends Look, Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'type'> {
  readonly type?: 'button' | 'submit';
  /** Work is in progress: the button keeps its size and focus, and ignores presses. */
  readonly isBusy?: boolean;
  readonly children: ReactNode;
  readonly ref?: Ref<HTMLButtonElement>;
}

/** A button. While busy it stays focusable (a disabled button would lose the focus) and is announced as unavailable. */
export function Button({
  look = 'primary',
  type = 'button',
  isBusy = false,
  onClick,
  className,
  ...rest
}: ButtonProps) {
  return (
    <button
      {...rest}
      type={type}
      // It may name an amount, and a server may write numbers differently than this browser.
      suppressHydrationWarning
      className={classNames(styles.button, styles[look], className)}
      data-part={partOf[look]}
      aria-disabled={isBusy || rest['aria-disabled'] ? true : undefined}
      data-busy={isBusy ? '' : undefined}
      onClick={(event) => {
        if (isBusy) event.preventDefault();
        else onClick?.(event);
      }}
    />
  );
}

/** A link that looks like a button. */
export function ButtonLink({ look = 'primary', className, ...rest }: Look & AnchorHTMLAttributes<HTMLAnchorElement>) {
  return <a {...rest} className={classNames(styles.button, styles[look], className)} data-part={partOf[look]} />;
}
