import { Button } from '../../ui/buttons/button.tsx';
import { usePlace } from '../session/product-context.tsx';
import { useServices, useTexts } from '../session/services.tsx';

/** The way to the steps of a withdrawal, for whoever has never made one. */
export function HowTo({ method }: { readonly method: string }) {
  const { translate } = useTexts();
  const { navigation } = useServices();
  const { tree } = usePlace();
  return (
    <Button look="pill" onClick={() => navigation.go(`${tree}/redirect/${encodeURIComponent(method)}/instruction`)}>
      {translate('withdrawalInstruction.howTo')}
    </Button>
  );
}
