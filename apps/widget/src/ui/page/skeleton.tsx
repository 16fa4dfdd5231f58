import type { CSSProperties } from 'react';
import styles from './skeleton.module.css';

/** A grey shape of the size of what is coming, so that nothing moves when it lands. Sizes are CSS lengths. */
export function Skeleton({
  inlineSize = '100%',
  blockSize,
  radius,
}: {
  readonly inlineSize?: string;
  readonly blockSize: string;
  readonly radius?: string;
}) {
  const style: CSSProperties = { inlineSize, blockSize, ...(radius === undefined ? {} : { borderRadius: radius }) };
  return <span className={styles.skeleton} style={style} aria-hidden="true" />;
}
