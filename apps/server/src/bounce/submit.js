// The prototype's method: a provider may call one of its fields `submit`.
const form = document.querySelector('form');
if (form) HTMLFormElement.prototype.submit.call(form);
