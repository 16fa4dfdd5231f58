// breaks: server-sdk-libraries, declared-packages
import 'react';
export const x = 1;
