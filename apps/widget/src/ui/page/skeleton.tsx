import type { CSSProperties } from 'react';
import styles from './skeleton.module.css';

/** A grey shape in the size of content that is being loaded, so that nothing moves later. Sizes are CSS lengths. */
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
