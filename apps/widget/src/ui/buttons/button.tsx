import type { AnchorHTMLAttributes, ButtonHTMLAttributes, ReactNode, Ref } from 'react';
import { classNames } from '../class-names.ts';
import styles from './button.module.css';

interface Look {
  /** `primary` for the one step forward of a screen. */
  readonly look?: 'primary' | 'secondary' | 'ghost' | 'pill';
}

/** What a host's rules call it (UI-9). */
const partOf = { primary: 'button', secondary: 'button-secondary', ghost: undefined, pill: undefined } as const;

interface ButtonProps extends Look, Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'type'> {
  readonly type?: 'button' | 'submit';
  /** Work is under way: the button keeps its size and its focus and ignores presses. */
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

/** The same for a way to another address. */
export function ButtonLink({ look = 'primary', className, ...rest }: Look & AnchorHTMLAttributes<HTMLAnchorElement>) {
  return <a {...rest} className={classNames(styles.button, styles[look], className)} data-part={partOf[look]} />;
}
