import { Page, Row } from '../../ui/page/page.tsx';
import { Skeleton } from '../../ui/page/skeleton.tsx';
import { VisuallyHidden } from '../../ui/page/visually-hidden.tsx';

/** The shape of a form while its screen is being loaded (UI-5). */
export function PageSkeleton({ label }: { readonly label: string }) {
  return (
    <Page>
      <div role="status">
        <VisuallyHidden>{label}</VisuallyHidden>
      </div>
      <Row>
        <Skeleton inlineSize="48px" blockSize="34px" />
        <Skeleton inlineSize="55%" blockSize="20px" />
      </Row>
      <Skeleton blockSize="232px" radius="var(--radius-l)" />
      <Skeleton blockSize="76px" radius="var(--radius-l)" />
    </Page>
  );
}
