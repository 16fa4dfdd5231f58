// breaks: core-is-pure, doors-only
import type { Button } from '../../../../apps/widget/src/ui/button.tsx';
export type X = typeof Button;
