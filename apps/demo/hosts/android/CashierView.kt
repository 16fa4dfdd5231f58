package com.example.cashier

import android.annotation.SuppressLint
import android.content.ActivityNotFoundException
import android.content.ClipData
import android.content.ClipboardManager
import android.content.Context
import android.content.Intent
import android.graphics.Bitmap
import android.net.Uri
import android.os.Message
import android.webkit.RenderProcessGoneDetail
import android.webkit.WebChromeClient
import android.webkit.WebResourceRequest
import android.webkit.WebSettings
import android.webkit.WebView
import android.webkit.WebViewClient
import android.widget.FrameLayout
import androidx.webkit.WebViewCompat
import androidx.webkit.WebViewFeature
import org.json.JSONException
import org.json.JSONObject

/** What the cashier reports. For display alone: credit a user on the signed webhook, nowhere else. */
interface CashierListener {
    /** The first screen can be used (`error` is null), or why not. */
    fun onStarted(error: String?)

    /** A payment has moved: `processing`, `progress`, `success` or `decline`. One of the two ids is there. */
    fun onTransaction(event: String, depositId: String?, withdrawalId: String?)

    fun onSupport(depositId: String, paymentMethod: String)

    /** Another page than the cashier's is shown, a bank's for instance: name it above the view. Null: the cashier is back. */
    fun onPayingAt(host: String?)

    /** For your engineers: a stable code and a text without personal data. */
    fun onProblem(code: String, message: String)

    fun onClosed()
}

/**
 * The cashier in a WebView. Add it to your layout, call [start], take it away in `onClosed` and call [destroy].
 *
 * @param cashier where the cashier lives, such as `https://pay.example.com`
 * @param payload what `loaded` carries beside the token: `userId`, `currency`, `paymentGeo`, `locale` and so on
 * @param fetchToken asks your own backend for a user token and hands it to the given function on the main thread; null: it failed
 */
@SuppressLint("ViewConstructor")
class CashierView(
    context: Context,
    private val cashier: Uri,
    private val partner: String,
    payload: JSONObject,
    private val fetchToken: (done: (String?) -> Unit) -> Unit,
    private val listener: CashierListener,
) : FrameLayout(context) {
    private val webView = WebView(context)
    private val origin = "https://${cashier.authority}"
    private val payload = JSONObject(payload.toString())
        .put("platform", "android")
        .put("isMobileApp", true)
        .put("nativeActions", org.json.JSONArray(listOf("copy", "share")))

    /** In memory alone: never in an address, a log or preferences. */
    private var token: String? = null
    private var wasElsewhere = false

    init {
        require(cashier.scheme == "https") { "The cashier is spoken to over https alone." }
        check(WebViewFeature.isFeatureSupported(WebViewFeature.WEB_MESSAGE_LISTENER)) { "The device's WebView is too old." }
        configure(webView.settings)
        // Only pages of this origin see the object at all, and each message says which frame it came from. An interface that
        // is injected into every page of every origin could not tell.
        WebViewCompat.addWebMessageListener(webView, "cashierBridge", setOf(origin)) { _, message, source, isMainFrame, _ ->
            if (isMainFrame && isCashier(source)) message.data?.let(::receive)
        }
        webView.webViewClient = Pages()
        webView.webChromeClient = Windows()
        addView(webView)
    }

    /** Asks for the token first, since the page waits five seconds for it and no longer, then shows the cashier. */
    fun start() = fetchToken { fresh ->
        token = fresh
        // The address ends up in logs: the operator's public name and nothing about the person.
        val address = cashier.buildUpon().path("/cashier/deposit").appendQueryParameter("partner", partner).build()
        if (fresh == null) listener.onStarted("No user token.") else webView.loadUrl(address.toString())
    }

    /** Asks the cashier to close; it may have to finish something first, and answers with `onClosed`. */
    fun close() = say(JSONObject().put("messageType", "close").put("payload", JSONObject()))

    /** The back button: one screen back, and from the first one the cashier is asked to close. */
    fun back() {
        if (webView.canGoBack()) webView.goBack() else close()
    }

    fun destroy() {
        removeView(webView)
        webView.destroy()
    }

    @SuppressLint("SetJavaScriptEnabled")
    private fun configure(settings: WebSettings) {
        settings.javaScriptEnabled = true
        settings.domStorageEnabled = true
        settings.allowFileAccess = false
        settings.allowContentAccess = false
        settings.mixedContentMode = WebSettings.MIXED_CONTENT_NEVER_ALLOW
        settings.setGeolocationEnabled(false)
        settings.setSupportMultipleWindows(true)
        settings.javaScriptCanOpenWindowsAutomatically = false
    }

    private fun isCashier(page: Uri?): Boolean = page?.scheme == "https" && page.authority == cashier.authority

    // What goes in. The page itself compares its origin, so that nothing is given to a page that came meanwhile.

    private fun givePayload(token: String) = run("window.cashierPayload = ${withToken(token)}")

    /** The page's own window is the one that it listens to in an app. */
    private fun say(message: JSONObject) = run("window.postMessage($message, location.origin)")

    private fun run(statement: String) =
        webView.evaluateJavascript("if (location.origin === ${JSONObject.quote(origin)}) $statement", null)

    private fun withToken(token: String) = JSONObject(payload.toString()).put("token", token)

    // What comes out: source and origin were looked at above, the shape is here.

    private fun receive(json: String) {
        if (json.length > LONGEST_MESSAGE) return
        val said = try {
            JSONObject(json)
        } catch (_: JSONException) {
            return // Not a message of ours.
        }
        val detail = said.optJSONObject("payload") ?: JSONObject()
        fun word(name: String): String? = detail.opt(name) as? String
        when (said.optString("messageType")) {
            "Loaded" -> token?.let(::givePayload)
            "token-expired" -> renewToken()
            "init" -> listener.onStarted(if (detail.optBoolean("success")) null else word("error").orEmpty())
            "transaction" -> word("event")?.let { listener.onTransaction(it, word("depositId"), word("withdrawalId")) }
            "support" -> listener.onSupport(word("depositId").orEmpty(), word("paymentMethod").orEmpty())
            "copy" -> word("text")?.let(::copy)
            "share" -> word("text")?.let(::share)
            "error" -> listener.onProblem(word("code").orEmpty(), word("message").orEmpty())
            "close" -> listener.onClosed()
            else -> Unit // metric, onLocaleError, resize, and what later versions add
        }
    }

    private fun renewToken() = fetchToken { fresh ->
        token = fresh ?: token
        if (fresh == null) listener.onProblem("token-failed", "No fresh user token.")
        else say(JSONObject().put("messageType", "loaded").put("payload", withToken(fresh)))
    }

    private fun copy(text: String) {
        val clipboard = context.getSystemService(Context.CLIPBOARD_SERVICE) as ClipboardManager
        clipboard.setPrimaryClip(ClipData.newPlainText("", text))
    }

    private fun share(text: String) {
        val send = Intent(Intent.ACTION_SEND).setType("text/plain").putExtra(Intent.EXTRA_TEXT, text)
        context.startActivity(Intent.createChooser(send, null))
    }

    /**
     * Hands an address to another app. Of an `intent:` address only its data is taken: it could name any component of any app.
     */
    private fun openOutside(address: Uri) {
        val wanted = if (address.scheme == "intent") intentData(address) else address
        if (wanted == null || (wanted.scheme != "https" && wanted.scheme !in APP_SCHEMES)) return
        try {
            context.startActivity(Intent(Intent.ACTION_VIEW, wanted).addCategory(Intent.CATEGORY_BROWSABLE))
        } catch (_: ActivityNotFoundException) {
            listener.onProblem("no-app", "No app opens ${wanted.scheme} addresses.")
        }
    }

    private fun intentData(address: Uri): Uri? = try {
        Intent.parseUri(address.toString(), Intent.URI_INTENT_SCHEME).data
    } catch (_: java.net.URISyntaxException) {
        null
    }

    private inner class Pages : WebViewClient() {
        /** Not called for a form that is posted: that is how a provider is gone to, and it stays in this view. */
        override fun shouldOverrideUrlLoading(view: WebView, request: WebResourceRequest): Boolean {
            // The cashier itself, and the pages of a payment: they take its place and lead back to it. They have no bridge.
            if (request.url.scheme == "https") return false
            if (request.isForMainFrame) openOutside(request.url)
            return true
        }

        override fun onPageStarted(view: WebView, url: String, favicon: Bitmap?) {
            val page = Uri.parse(url)
            listener.onPayingAt(if (isCashier(page)) null else page.host)
        }

        override fun onPageFinished(view: WebView, url: String) {
            val isHere = isCashier(Uri.parse(url))
            // Back must not lead to a payment page that is done with.
            if (isHere && wasElsewhere) view.clearHistory()
            wasElsewhere = !isHere
        }

        override fun onRenderProcessGone(view: WebView, detail: RenderProcessGoneDetail): Boolean {
            listener.onClosed()
            return true
        }
    }

    private inner class Windows : WebChromeClient() {
        /** A link that wants a window of its own: help, an explorer, an agent's chat. */
        override fun onCreateWindow(view: WebView, isDialog: Boolean, isUserGesture: Boolean, result: Message): Boolean {
            if (!isUserGesture) return false
            val catcher = WebView(view.context)
            catcher.webViewClient = object : WebViewClient() {
                override fun shouldOverrideUrlLoading(caught: WebView, request: WebResourceRequest): Boolean {
                    openOutside(request.url)
                    caught.post { caught.destroy() }
                    return true
                }
            }
            (result.obj as WebView.WebViewTransport).webView = catcher
            result.sendToTarget()
            return true
        }
    }

    private companion object {
        const val LONGEST_MESSAGE = 64 * 1024

        /** Apps that a payment may be handed to. Anything else that is no web page is refused. */
        val APP_SCHEMES = setOf("upi", "phonepe", "paytmmp", "tez", "bitcoin", "ethereum", "ton", "tel", "mailto")
    }
}
