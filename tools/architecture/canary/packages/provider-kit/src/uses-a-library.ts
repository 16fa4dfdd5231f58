// breaks: provider-kit-libraries, declared-packages
import 'react';
export const x = 1;
