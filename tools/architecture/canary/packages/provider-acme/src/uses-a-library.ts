// breaks: provider-packages-libraries, declared-packages
import 'react';
export const x = 1;
