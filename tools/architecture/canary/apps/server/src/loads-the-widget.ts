// breaks: server-is-an-island, server-has-no-react, declared-packages, doors-only
import { Button } from '../../widget/src/ui/button.tsx';
import { createElement } from 'react';
export const x = createElement(Button);
