// node_modules/preact/dist/preact.mjs
var n;
var t;
var r;
var u;
var i;
var f;
var o;
var e;
var l;
var c;
var a;
var s;
var h = /* @__PURE__ */ Symbol.for("pv");
var p = {};
var y = [];
var v = /^m(i|n|o|s|text|space)$/;
var w = Array.isArray;
var d = y.slice;
var _ = Object.assign;
function g(n3) {
  n3 && n3.parentNode && n3.remove();
}
function k(n3, t4, r4) {
  var u4, i4, f5, o5 = {}, e4 = arguments.length;
  for (f5 in t4) "key" == f5 ? u4 = t4[f5] : "ref" == f5 && "function" != typeof n3 ? i4 = t4[f5] : o5[f5] = t4[f5];
  return e4 > 2 && (o5.children = e4 > 3 ? d.call(arguments, 2) : r4), m(n3, o5, u4, i4, null);
}
function m(r4, u4, i4, f5, o5) {
  var e4 = { type: r4, props: u4, key: i4, ref: f5, __k: null, __: null, __b: 0, __e: null, __c: null, constructor: h, __v: o5 || ++t, __i: -1, __u: 0 };
  return !o5 && n.vnode && n.vnode(e4), e4;
}
function $(n3) {
  return n3.children;
}
function x(n3, t4) {
  this.props = n3, this.context = t4, this.__g = 0;
}
function S(n3, t4) {
  if (null == t4) return n3.__ && S(n3.__, n3.__i + 1);
  for (var r4; t4 < n3.__k.length; t4++) if ((r4 = n3.__k[t4]) && r4.__e) return r4.__e;
  return "function" != typeof n3.type || n3.props.__P ? null : S(n3);
}
function C(t4) {
  var r4, u4 = t4.__v, i4 = u4.__e, f5 = [], o5 = [], e4 = t4.__P;
  e4 && ((r4 = _({ constructor: h }, u4)).__v = u4.__v + 1, n.vnode && n.vnode(r4), z(e4, r4, u4, t4.__n, e4.namespaceURI, 32 & u4.__u ? [i4] : null, f5, i4 || S(u4), 32 & u4.__u, o5), r4.__v = u4.__v, r4.__.__k[r4.__i] = r4, E(f5, r4, o5), u4.__ = u4.__e = null, r4.__e != i4 && j(r4));
}
function j(n3) {
  if ((n3 = n3.__) && n3.__c && !n3.props.__P) return n3.__e = null, n3.__k.some(function(t4) {
    return t4 && (n3.__e = t4.__e);
  }), j(n3);
}
function L(t4) {
  (8 & t4.__g || (t4.__g |= 8, u.push(t4), f++)) && i == n.debounceRendering || ((i = n.debounceRendering) || queueMicrotask)(H);
}
function H() {
  try {
    for (var n3, t4 = 1; u.length; ) u.length > t4 && u.sort(o), n3 = u.shift(), t4 = u.length, 8 & n3.__g && C(n3);
  } finally {
    (f = u.length) && (i || queueMicrotask)(H);
  }
}
function I(n3, t4, r4, u4, i4, f5, o5, e4, l4, c4, a5) {
  var s4, h5, v4, w5, d5, _4, g5 = u4.__k || y, k4 = t4.length;
  for (l4 = q(r4, t4, g5, l4, k4), s4 = 0; s4 < k4; s4++) null != (v4 = r4.__k[s4]) && (h5 = ~v4.__i && g5[v4.__i] || p, v4.__i = s4, _4 = z(n3, v4, h5, i4, f5, o5, e4, l4, c4, a5), w5 = v4.__e, (h5.ref != v4.ref || 8 & h5.__u) && (h5.ref && G(h5.ref, null, v4, h5), v4.ref && a5.push(v4.ref, v4.__c || w5, v4)), d5 = d5 || w5, 4 & v4.__u ? (l4 = A(v4, l4, n3, !h5.__v), h5.__e && (h5.__e = null)) : "function" == typeof v4.type && void 0 !== _4 ? l4 = _4 : w5 && (l4 = w5.nextSibling), v4.__u &= -21);
  return r4.__e = d5, l4;
}
function q(n3, t4, r4, u4, i4) {
  var f5, o5, e4, l4, c4, a5, s4, p5, y5, v4 = r4.length, d5 = v4, _4 = 0, g5 = 0, k4 = n3.__k = Array(i4);
  for (f5 = 0; f5 < i4; f5++) null != (o5 = t4[f5]) && "boolean" != typeof o5 && "function" != typeof o5 ? ("object" != typeof o5 || o5.constructor === String ? o5 = k4[f5] = m(null, o5) : w(o5) ? o5 = k4[f5] = m($, { children: o5 }) : o5.constructor === h && o5.__b ? o5 = k4[f5] = m(o5.type, o5.props, o5.key, o5.ref, o5.__v) : k4[f5] = o5, l4 = f5 + _4, o5.__ = n3, o5.__b = n3.__b + 1, e4 = null, ~(c4 = o5.__i = P(o5, r4, l4, d5)) && (d5--, (e4 = r4[c4]) && (e4.__u |= 2)), e4 && e4.__v ? (o5.__u |= 16, c4 == l4 - 1 ? _4-- : c4 == l4 + 1 ? _4++ : c4 != l4 && (c4 > l4 ? _4-- : _4++, g5 = 1)) : (~c4 || (i4 > v4 ? _4-- : i4 < v4 && _4++), "function" != typeof o5.type && (o5.__u |= 4))) : k4[f5] = null;
  if (g5) {
    for (a5 = [], s4 = [], f5 = 0; f5 < i4; f5++) if ((o5 = k4[f5]) && 16 & o5.__u) {
      for (_4 = 0, p5 = a5.length; _4 < p5; ) a5[y5 = _4 + p5 >> 1] < o5.__i ? _4 = y5 + 1 : p5 = y5;
      a5[_4] = o5.__i, s4[f5] = _4 + 1;
    }
    for (_4 = a5.length; f5--; ) s4[f5] && (s4[f5] == _4 ? _4-- : k4[f5].__u |= 4);
  }
  if (d5) for (f5 = 0; f5 < v4; f5++) !(e4 = r4[f5]) || 2 & e4.__u || (e4.__e == u4 && (u4 = S(e4)), J(e4, e4));
  return u4;
}
function A(n3, t4, r4, u4) {
  var i4, f5, o5, e4;
  if ("function" == typeof n3.type) {
    if (n3.props.__P) return t4;
    if (i4 = n3.__k) for (f5 = 0; f5 < i4.length; f5++) i4[f5] && (i4[f5].__ = n3, t4 = A(i4[f5], t4, r4, false));
    return t4;
  }
  for (t4 && !t4.parentNode && (t4 = S(n3)) && !t4.parentNode && (t4 = null), o5 = n3.__e, e4 = t4; e4 && 8 == e4.nodeType; ) e4 = e4.nextSibling;
  for (o5 != e4 && (!u4 && r4.moveBefore && o5.parentNode ? r4.moveBefore(o5, t4) : r4.insertBefore(o5, t4 || null)), t4 = o5; (t4 = t4 && t4.nextSibling) && 8 == t4.nodeType && !t4.data.startsWith("$s"); ) ;
  return t4;
}
function P(n3, t4, r4, u4) {
  var i4, f5 = n3.key, o5 = n3.type, e4 = t4[r4], l4 = e4 && !(2 & e4.__u);
  if (null === e4 && null == f5 || l4 && f5 == e4.key && o5 == e4.type) return r4;
  if (u4 > (l4 ? 1 : 0)) {
    for (i4 = r4 - 1; i4 >= 0; i4--) if ((e4 = t4[i4]) && !(2 & e4.__u) && f5 == e4.key && o5 == e4.type) return i4;
    for (i4 = r4 + 1; i4 < t4.length; i4++) if ((e4 = t4[i4]) && !(2 & e4.__u) && f5 == e4.key && o5 == e4.type) return i4;
  }
  return -1;
}
function T(n3, t4, r4) {
  null == r4 && (r4 = ""), "-" == t4[0] ? n3.setProperty(t4, r4) : n3[t4] = r4;
}
function N(n3, t4, r4, u4, i4) {
  var f5, o5;
  if ("style" == t4) if ("string" == typeof r4) n3.style.cssText = r4;
  else {
    if ("string" == typeof u4 && (n3.style.cssText = u4 = ""), u4) for (t4 in u4) r4 && t4 in r4 || T(n3.style, t4);
    if (r4) for (t4 in r4) u4 && r4[t4] == u4[t4] || T(n3.style, t4, r4[t4]);
  }
  else if ("o" == t4[0] && "n" == t4[1]) "function" != typeof r4 && (r4 = null), "function" != typeof u4 && (u4 = null), (n3.__e || (n3.__e = {}))[t4] = r4, r4 && u4 || (o5 = a[t4] || (a[t4] = V(t4)), (n3.__a || (n3.__a = {}))[t4] = c, f5 = t4 != (t4 = t4.replace(l, "$1")), (t4 = t4.slice(2))[0] < "a" && (t4 = t4.toLowerCase()), r4 ? n3.addEventListener(t4, o5, f5) : n3.removeEventListener(t4, o5, f5));
  else {
    if ("http://www.w3.org/2000/svg" == i4) t4 = t4.replace(/xlink(H|:h)/, "h").replace(/sName$/, "s");
    else if ("width" != t4 && "height" != t4 && "href" != t4 && "list" != t4 && "form" != t4 && "tabIndex" != t4 && "download" != t4 && "rowSpan" != t4 && "colSpan" != t4 && "role" != t4 && "popover" != t4 && t4 in n3) try {
      return void (n3[t4] = null == r4 ? "" : r4);
    } catch (n4) {
    }
    if ("function" == typeof r4) return;
    null == r4 || false === r4 && "-" != t4[4] ? n3.removeAttribute(t4) : n3.setAttribute(t4, "popover" == t4 && 1 == r4 ? "" : r4);
  }
}
function V(t4) {
  return function(r4) {
    var u4 = this.__e;
    if (u4) {
      if (u4 = u4[t4], null == r4[e]) r4[e] = c++;
      else if (r4[e] < this.__a[t4]) return;
      return u4(n.event ? n.event(r4) : r4);
    }
  };
}
function z(t4, r4, u4, i4, f5, o5, e4, l4, c4, a5) {
  var s4, p5, v4, d5, k4, b4, m5, M2, C3, j4, L2, H2, q2, A4, O2, P3, T4, N2, V2 = r4.type;
  if (r4.constructor !== h) return null;
  128 & u4.__u && (c4 = 32 & u4.__u, s4 = u4.__c.__z) && (r4.__u |= c4, p5 = o5 = [], 8 == s4.nodeType ? l4 = B(s4, o5) : o5.push(s4), l4 = o5[0] || l4), (s4 = n.__b) && s4(r4);
  n: if ("function" == typeof V2) {
    v4 = e4.length;
    try {
      if (M2 = r4.props, C3 = (s4 = V2.prototype) && s4.render, j4 = (s4 = V2.contextType) && i4[s4.__c], L2 = s4 ? j4 ? j4.props.value : s4.__ : i4, (d5 = u4.__c) ? (r4.__c = d5, 2 & d5.__g && (d5.__g |= 1)) : (C3 ? r4.__c = d5 = new V2(M2, L2) : (r4.__c = d5 = new x(M2, L2), d5.constructor = V2, d5.render = K), j4 && j4.sub(d5), d5.state || (d5.state = {}), d5.__n = i4, d5.__g |= 8, d5.__h = [], d5.__k = []), C3 && (d5.__s || (d5.__s = d5.state), V2.getDerivedStateFromProps && (d5.__s == d5.state && (d5.__s = _({}, d5.__s)), _(d5.__s, V2.getDerivedStateFromProps(M2, d5.__s)))), k4 = d5.props, b4 = d5.state, d5.__v = r4, u4.__c) {
        if (M2 !== k4 && C3 && !V2.getDerivedStateFromProps && d5.componentWillReceiveProps && d5.componentWillReceiveProps(M2, L2), r4.__v == u4.__v && !(8 & d5.__g) || !(4 & d5.__g) && d5.shouldComponentUpdate && false === d5.shouldComponentUpdate(M2, d5.__s, L2)) {
          r4.__v != u4.__v && (d5.props = M2, d5.state = d5.__s, d5.__g &= -9), r4.__e = u4.__e, r4.__k = u4.__k, r4.__k.some(function(n3) {
            n3 && (n3.__ = r4);
          }), y.push.apply(d5.__h, d5.__k), d5.__k = [], d5.__h.length && e4.push(d5), l4 = S(u4);
          break n;
        }
        d5.componentWillUpdate && d5.componentWillUpdate(M2, d5.__s, L2), C3 && d5.componentDidUpdate && d5.__h.push(function() {
          d5.componentDidUpdate(k4, b4, m5);
        });
      } else C3 && !V2.getDerivedStateFromProps && d5.componentWillMount && d5.componentWillMount(), C3 && d5.componentDidMount && d5.__h.push(d5.componentDidMount);
      d5.context = L2, d5.props = M2, d5.__P = t4, d5.__g &= -5, H2 = n.__r, q2 = C3 ? 25 : 0;
      do {
        d5.__g &= -9, H2 && H2(r4), s4 = d5.render(d5.props, d5.state = d5.__s, d5.context);
      } while (8 & d5.__g && ++q2 < 25);
      C3 && (y.push.apply(d5.__h, d5.__k), d5.__k = []), d5.state = d5.__s, d5.getChildContext && (i4 = _({}, i4, d5.getChildContext())), C3 && u4.__c && d5.getSnapshotBeforeUpdate && (m5 = d5.getSnapshotBeforeUpdate(k4, b4)), A4 = s4 && s4.type === $ && null == s4.key ? s4.props.children : s4, M2.__P && (s4 = l4, f5 = (t4 = M2.__P).namespaceURI, c4 = o5 = null, u4.props && u4.props.__P != t4 && (u4.__k.some(function(n3) {
        n3 && J(n3, n3);
      }), u4.__k = null), l4 = u4.__k ? S(u4, 0) : null), l4 = I(t4, w(A4) ? A4 : [A4], r4, u4, i4, f5, o5, e4, l4, c4, a5), M2.__P && (r4.__e = null, l4 = s4), r4.__u &= -161, p5 && p5.some(g), d5.__h.length && e4.push(d5), 1 & d5.__g && (d5.__g &= -4);
    } catch (t5) {
      if (e4.length = v4, r4.__v = null, c4 || o5) if (t5 && t5.then) {
        if (r4.__u |= 128 | c4, o5) {
          for (~(T4 = o5.indexOf(l4 || void 0)) || (T4 = o5.length); (N2 = o5[T4 - 1]) && 8 == N2.nodeType; ) T4--;
          for (; T4 < o5.length; T4++) if (N2 = o5[T4]) if (o5[T4] = null, O2) {
            if (N2 == P3) break;
          } else {
            if (8 != N2.nodeType) break;
            N2.data.startsWith("$s") && (P3 = B(O2 = N2));
          }
        }
        if (!O2) {
          for (; l4 && 8 == l4.nodeType && l4.nextSibling; ) l4 = l4.nextSibling;
          O2 = l4;
        }
        (s4 = B(O2 = r4.__c.__z || (r4.__c.__z = O2))) ? (r4.__e = O2, l4 = s4) : r4.__e = l4, l4 = l4 && l4.nextSibling;
      } else o5 && o5.some(g);
      else r4.__e = u4.__e;
      r4.__k || (r4.__k = u4.__k || []), t5 && t5.then || D(r4), n.__e(t5, r4, u4);
    }
  } else l4 = r4.__e = F(u4.__e, r4, u4, i4, f5, o5, e4, c4, a5, t4);
  return (s4 = n.diffed) && s4(r4), l4;
}
function B(n3, t4) {
  if (n3 && 8 == n3.nodeType && n3.data.startsWith("$s")) for (var r4 = 1; n3 = n3.nextSibling; ) {
    if (8 == n3.nodeType) {
      if (n3.data.startsWith("$s")) r4++;
      else if (n3.data.startsWith("/$s") && !--r4) return n3;
    }
    t4 && t4.push(n3);
  }
}
function D(n3) {
  n3 && (n3.__c && (n3.__c.__g |= 4), n3.__k && n3.__k.some(D));
}
function E(t4, r4, u4) {
  for (var i4 = 0; i4 < u4.length; ) G(u4[i4++], u4[i4++], u4[i4++]);
  n.__c && n.__c(r4, t4), t4.some(function(r5) {
    try {
      t4 = r5.__h, r5.__h = [], t4.some(function(n3) {
        n3.call(r5);
      });
    } catch (t5) {
      n.__e(t5, r5.__v);
    }
  });
}
function F(t4, r4, u4, i4, f5, o5, e4, l4, c4, a5) {
  var s4, h5, y5, _4, k4, b4, m5, M2, $2 = u4.props || p, x3 = r4.props, C3 = r4.type;
  if ("svg" == C3 ? f5 = "http://www.w3.org/2000/svg" : "math" == C3 ? f5 = "http://www.w3.org/1998/Math/MathML" : f5 || (f5 = "http://www.w3.org/1999/xhtml"), o5) {
    for (s4 = 0; s4 < o5.length; s4++) if ((k4 = o5[s4]) && (C3 ? k4.localName == C3 : 3 == k4.nodeType)) {
      t4 = k4, o5[s4] = null;
      break;
    }
  }
  if (!t4) {
    if (M2 = a5.ownerDocument || document, !C3) return M2.createTextNode(x3);
    t4 = M2.createElementNS(f5, C3, x3.is ? x3 : a5), l4 && (n.__m && n.__m(r4, o5), l4 = false), o5 = null;
  }
  if (C3) {
    if (a5 = "template" == C3 && t4.content || t4, o5 = "textarea" == C3 && null != x3.defaultValue ? null : o5 && d.call(a5.childNodes), !l4 && o5) for ($2 = {}, s4 = 0; s4 < t4.attributes.length; s4++) $2[(k4 = t4.attributes[s4]).name] = k4.value;
    for (s4 in $2) k4 = $2[s4], "dangerouslySetInnerHTML" == s4 ? y5 = k4 : "children" == s4 || s4 in x3 || "value" == s4 && "defaultValue" in x3 || "checked" == s4 && "defaultChecked" in x3 || N(t4, s4, null, k4, f5);
    for (s4 in x3) k4 = x3[s4], "children" == s4 ? _4 = k4 : "dangerouslySetInnerHTML" == s4 ? h5 = k4 : "value" == s4 ? b4 = k4 : "checked" == s4 ? m5 = k4 : l4 && "function" != typeof k4 || $2[s4] === k4 || N(t4, s4, k4, $2[s4], f5);
    h5 ? (l4 || y5 && (h5.__html == y5.__html || h5.__html == t4.innerHTML) || (t4.innerHTML = h5.__html), r4.__k = []) : (y5 && (t4.textContent = ""), ("foreignObject" == C3 || "http://www.w3.org/1998/Math/MathML" == f5 && v.test(C3)) && (f5 = "http://www.w3.org/1999/xhtml"), I(a5, w(_4) ? _4 : [_4], r4, u4, i4, f5, o5, e4, o5 ? o5[0] : u4.__k && S(u4, 0), l4, c4), o5 && o5.some(g)), l4 && "textarea" != C3 || (s4 = "value", "progress" == C3 && null == b4 ? t4.removeAttribute(s4) : null == b4 || b4 === t4[s4] && ("progress" != C3 || b4) || N(t4, s4, b4, $2[s4], f5), s4 = "checked", null != m5 && m5 != t4[s4] && N(t4, s4, m5, $2[s4], f5));
  } else $2 === x3 || l4 && t4.data == x3 || (t4.data = x3);
  return t4;
}
function G(t4, r4, u4, i4) {
  try {
    "function" == typeof t4 ? r4 ? r4.__x = t4(r4) || 1 : i4 && (i4 = i4.__c || i4.__e) && (r4 = i4.__x) && (i4.__x = null, "function" == typeof r4 ? r4() : t4(null)) : t4.current = r4;
  } catch (t5) {
    n.__e(t5, u4);
  }
}
function J(t4, r4, u4) {
  var i4, f5, o5, e4;
  if (n.unmount && n.unmount(t4), !(i4 = t4.ref) || i4.current && i4.current != t4.__e || G(i4, null, r4, t4), i4 = t4.__c) {
    if (i4.componentWillUnmount) try {
      i4.componentWillUnmount();
    } catch (t5) {
      n.__e(t5, r4);
    }
    i4.__P = i4.__n = null;
  }
  if (i4 = t4.__k) for (e4 = 0; e4 < i4.length; e4++) i4[e4] && J(i4[e4], r4, "function" != typeof t4.type || u4 && !t4.props.__P);
  !u4 && (i4 = t4.__c) && (i4 = i4.__z) && (f5 = B(i4, o5 = [])) && (i4 == t4.__e && o5.some(g), g(f5), g(i4)), u4 || g(t4.__e), t4.__e = t4.__c = t4.__ = null;
}
function K(n3, t4, r4) {
  return this.constructor(n3, r4);
}
function Q(t4, r4) {
  var u4, i4, f5, o5;
  n.__ && n.__(t4, r4), 9 == r4.nodeType && (r4 = r4.documentElement), i4 = (u4 = t4 && 32 & t4.__u) ? null : r4.__k, r4.__k = m($, { children: [t4] }), f5 = [], o5 = [], z(r4, r4.__k, i4 || p, p, r4.namespaceURI, i4 ? null : r4.firstChild ? d.call(r4.childNodes) : null, f5, i4 ? i4.__e : r4.firstChild, u4, o5), E(f5, r4.__k, o5), r4.__k.props.children = null;
}
function U(n3) {
  function t4(n4) {
    var r4, u4;
    return this.getChildContext || (r4 = /* @__PURE__ */ new Set(), (u4 = {})[t4.__c] = this, this.getChildContext = function() {
      return u4;
    }, this.shouldComponentUpdate = function(n5) {
      this.props.value != n5.value && r4.forEach(function(n6) {
        n6.__g |= 4, L(n6);
      });
    }, this.sub = function(n5) {
      r4.add(n5);
      var t5 = n5.componentWillUnmount;
      n5.componentWillUnmount = function() {
        r4.delete(n5), t5 && t5.call(n5);
      };
    }), n4.children;
  }
  return t4.__c = "__cC" + s++, t4.__ = n3, t4.Provider = (t4.Consumer = function(n4, t5) {
    return n4.children(t5);
  }).contextType = t4, t4;
}
n = { __e: function(n3, t4, r4, u4) {
  for (var i4, o5, e4; t4 = t4.__; ) if ((i4 = t4.__c) && !(1 & i4.__g)) {
    i4.__g |= 4;
    try {
      if ((e4 = (o5 = i4.constructor) && o5.getDerivedStateFromError) && i4.setState(o5.getDerivedStateFromError(n3)), i4.componentDidCatch && (i4.componentDidCatch(n3, u4 || {}), e4 = 1), e4 && 8 & i4.__g) return void (i4.__g |= 2);
    } catch (t5) {
      n3 = t5;
    }
  }
  throw f = 0, n3;
} }, t = 0, r = function(n3) {
  return null != n3 && n3.constructor === h;
}, x.prototype.setState = function(n3, t4) {
  var r4 = this.__s;
  r4 && r4 != this.state || (r4 = this.__s = _({}, this.state)), "function" == typeof n3 && (n3 = n3(_({}, r4), this.props)), n3 && (_(r4, n3), this.__v && (t4 && this.__k.push(t4), L(this)));
}, x.prototype.forceUpdate = function(n3) {
  this.__v && (this.__g |= 4, n3 && this.__h.push(n3), L(this));
}, x.prototype.render = $, u = [], f = 0, o = function(n3, t4) {
  return n3.__v.__b - t4.__v.__b;
}, e = /* @__PURE__ */ Symbol(), l = /(PointerCapture)$|Capture$/i, c = 0, a = {}, s = 0;

// node_modules/preact/hooks/dist/hooks.mjs
var t2;
var r2;
var u2;
var i2;
var o2 = Object.is;
var f2 = 0;
var c2 = [];
var e2 = [];
var a2 = n;
var v2 = a2.__b;
var l2 = a2.__r;
var m2 = a2.diffed;
var h2 = a2.__c;
var s2 = a2.unmount;
var p2 = a2.__;
function y2(n3, t4) {
  a2.__h && a2.__h(r2, n3, f2 || t4), f2 = 0;
  var u4 = r2.__H || (r2.__H = { __: [], __h: [] });
  return n3 >= u4.__.length && u4.__.push({}), u4.__[n3];
}
function d2(n3) {
  return f2 = 1, _2(G2, n3);
}
function _2(n3, u4, i4) {
  var f5 = y2(t2++, 2);
  if (f5.t = n3, !f5.__c && (f5.__ = [i4 ? i4(u4) : G2(void 0, u4), function(n4) {
    var t4 = (f5.__N || f5.__)[0], r4 = f5.t(t4, n4);
    o2(t4, r4) || (f5.__N = [r4, f5.__[1]], f5.__c.setState({}));
  }], f5.__c = r2, !r2.__f)) {
    r2.__f = true;
    var c4 = r2.shouldComponentUpdate;
    r2.shouldComponentUpdate = function(n4, t4, r4) {
      var u5 = this.__H;
      if (!u5) return true;
      var i5 = false, f6 = this.props != n4;
      if (u5.__.some(function(n5) {
        n5.__N && (i5 = true, o2(n5.__[0], n5.__N[0]) || (f6 = true));
      }), c4) {
        var e4 = c4.call(this, n4, t4, r4);
        return i5 ? e4 || f6 : e4;
      }
      return !i5 || f6;
    };
  }
  return f5.__;
}
function A2(n3, u4) {
  var i4 = y2(t2++, 3);
  !a2.__s && E2(i4.__H, u4) && (i4.__P = true, i4.__ = n3, i4.u = u4, r2.__H.__h.push(i4));
}
function F2(n3, u4) {
  var i4 = y2(t2++, 4);
  !a2.__s && E2(i4.__H, u4) && (i4.__P = false, i4.__ = n3, i4.u = u4, r2.__h.push(i4));
}
function T2(n3) {
  return f2 = 5, w2(function() {
    return { current: n3 };
  }, []);
}
function w2(n3, r4) {
  var u4 = y2(t2++, 7);
  return E2(u4.__H, r4) && (u4.__ = n3(), u4.__H = r4), u4.__;
}
function b(n3, t4) {
  return f2 = 8, w2(function() {
    return n3;
  }, t4);
}
function j2(n3) {
  var u4 = r2.context[n3.__c], i4 = y2(t2++, 9);
  return i4.c = n3, u4 ? (null == i4.__ && (i4.__ = true, u4.sub(r2)), u4.props.value) : n3.__;
}
function P2() {
  var n3 = y2(t2++, 11);
  if (!n3.__) {
    for (var u4 = r2.__v; !u4.__m && u4.__; ) u4 = u4.__;
    var i4 = u4.__m || (u4.__m = [0, 0]);
    n3.__ = "P" + i4[0] + "-" + i4[1]++;
  }
  return n3.__;
}
function g2() {
  var n3;
  do {
    for (; n3 = e2.shift(); ) try {
      C2(n3);
    } catch (t5) {
      a2.__e(t5, { __: (n3 = n3.__P) && n3.__v });
    }
    for (; n3 = c2.shift(); ) {
      var t4 = n3.__H;
      if (n3.__P && t4) try {
        t4.__h.some(C2), t4.__h.some(D2), t4.__h = [];
      } catch (r4) {
        t4.__h = [], a2.__e(r4, n3.__v);
      }
    }
  } while (e2.length);
}
a2.__b = function(n3) {
  r2 = null, v2 && v2(n3);
}, a2.__ = function(n3, t4) {
  n3 && t4.__k && t4.__k.__m && (n3.__m = t4.__k.__m), p2 && p2(n3, t4);
}, a2.__r = function(n3) {
  l2 && l2(n3), t2 = 0;
  var i4 = (r2 = n3.__c).__H;
  i4 && (u2 == r2 ? r2.__h = [] : (i4.__h.some(C2), i4.__h.some(D2), t2 = 0), i4.__h = [], i4.__.some(function(n4) {
    n4.__N && (n4.__ = n4.__N), n4.u = n4.__N = void 0;
  })), u2 = r2;
}, a2.diffed = function(n3) {
  m2 && m2(n3);
  var t4 = n3.__c;
  t4 && t4.__H && (t4.__H.__h.length && B2(c2.push(t4)), t4.__H.__.some(function(n4) {
    n4.u && (n4.__H = n4.u);
  })), u2 = r2 = null;
}, a2.__c = function(n3, t4) {
  t4.some(function(n4) {
    try {
      n4.__h.some(C2), n4.__h = n4.__h.filter(function(n5) {
        return !n5.__ || D2(n5);
      });
    } catch (t5) {
      n4.__h = [function() {
        throw t5;
      }];
    }
  }), h2 && h2(n3, t4);
}, a2.unmount = function(n3) {
  s2 && s2(n3);
  var t4, r4, u4 = n3.__c;
  u4 && u4.__H && (u4.__H.__.some(function(u5) {
    try {
      if (u5.__P && u5.__c) {
        if (void 0 === r4) {
          for (r4 = n3.__; r4 && (!r4.__c || !r4.__c.__P); ) r4 = r4.__;
          r4 = r4 && r4.__c;
        }
        u5.__P = r4, B2(e2.push(u5));
      } else C2(u5);
    } catch (n4) {
      t4 = n4;
    }
  }), u4.__H = void 0, t4 && a2.__e(t4, u4.__v));
};
var k2 = "function" == typeof requestAnimationFrame;
function z2(n3) {
  var t4, r4 = function() {
    clearTimeout(u4), k2 && cancelAnimationFrame(t4), setTimeout(n3);
  }, u4 = setTimeout(r4, 35);
  k2 && (t4 = requestAnimationFrame(r4));
}
function B2(n3) {
  1 != n3 && i2 == a2.requestAnimationFrame || ((i2 = a2.requestAnimationFrame) || z2)(g2);
}
function C2(n3) {
  var t4 = r2, u4 = n3.__c;
  "function" == typeof u4 && (n3.__c = void 0, u4()), r2 = t4;
}
function D2(n3) {
  var t4 = r2;
  n3.__c = n3.__(), r2 = t4;
}
function E2(n3, t4) {
  return !n3 || n3.length != t4.length || t4.some(function(t5, r4) {
    return !o2(t5, n3[r4]);
  });
}
function G2(n3, t4) {
  return "function" == typeof t4 ? t4(n3) : t4;
}

// node_modules/@preact/signals-core/dist/signals-core.module.js
var i3 = /* @__PURE__ */ Symbol.for("preact-signals");
function t3() {
  if (!(v3 > 1)) {
    var i4, t4 = false;
    !(function() {
      var i5 = c3;
      c3 = void 0;
      while (void 0 !== i5) {
        var t5 = i5.S;
        if (t5.v === i5.v) {
          for (var r5 = t5.t; void 0 !== r5; r5 = r5.x) if (r5.i === i5.i) r5.i = t5.i;
        }
        i5 = i5.o;
      }
    })();
    while (void 0 !== h3) {
      var r4 = h3;
      h3 = void 0;
      s3++;
      while (void 0 !== r4) {
        var n3 = r4.u;
        r4.u = void 0;
        r4.f &= -3;
        if (!(8 & r4.f) && w3(r4)) try {
          r4.c();
        } catch (r5) {
          if (!t4) {
            i4 = r5;
            t4 = true;
          }
        }
        r4 = n3;
      }
    }
    s3 = 0;
    v3--;
    if (t4) throw i4;
  } else v3--;
}
function r3(i4) {
  if (v3 > 0) return i4();
  u3 = ++e3;
  v3++;
  try {
    return i4();
  } finally {
    t3();
  }
}
var n2;
var o3 = void 0;
function f3(i4) {
  var t4 = o3, r4 = n2;
  o3 = void 0;
  n2 = void 0;
  try {
    return i4();
  } finally {
    o3 = t4;
    n2 = r4;
  }
}
var h3 = void 0;
var v3 = 0;
var s3 = 0;
var e3 = 0;
var u3 = 0;
var c3 = void 0;
var a3 = 0;
function d3(i4) {
  if (void 0 !== o3) {
    var t4 = i4.n;
    if (void 0 === t4 || t4.t !== o3) {
      t4 = { i: 0, S: i4, p: o3.s, n: void 0, t: o3, e: void 0, x: void 0, r: t4 };
      if (void 0 !== o3.s) o3.s.n = t4;
      o3.s = t4;
      i4.n = t4;
      if (32 & o3.f) i4.S(t4);
      return t4;
    } else if (-1 === t4.i) {
      t4.i = 0;
      if (void 0 !== t4.n) {
        t4.n.p = t4.p;
        if (void 0 !== t4.p) t4.p.n = t4.n;
        t4.p = o3.s;
        t4.n = void 0;
        o3.s.n = t4;
        o3.s = t4;
      }
      return t4;
    }
  }
}
function l3(i4, t4) {
  this.v = i4;
  this.i = 0;
  this.n = void 0;
  this.t = void 0;
  this.l = 0;
  this.W = null == t4 ? void 0 : t4.watched;
  this.Z = null == t4 ? void 0 : t4.unwatched;
  this.name = null == t4 ? void 0 : t4.name;
}
l3.prototype.brand = i3;
l3.prototype.h = function() {
  return true;
};
l3.prototype.S = function(i4) {
  var t4 = this, r4 = this.t;
  if (r4 !== i4 && void 0 === i4.e) {
    i4.x = r4;
    this.t = i4;
    if (void 0 !== r4) r4.e = i4;
    else f3(function() {
      var i5;
      null == (i5 = t4.W) || i5.call(t4);
    });
  }
};
l3.prototype.U = function(i4) {
  var t4 = this;
  if (void 0 !== this.t) {
    var r4 = i4.e, n3 = i4.x;
    if (void 0 !== r4) {
      r4.x = n3;
      i4.e = void 0;
    }
    if (void 0 !== n3) {
      n3.e = r4;
      i4.x = void 0;
    }
    if (i4 === this.t) {
      this.t = n3;
      if (void 0 === n3) f3(function() {
        var i5;
        null == (i5 = t4.Z) || i5.call(t4);
      });
    }
  }
};
l3.prototype.subscribe = function(i4) {
  var t4 = this;
  return x2(function() {
    var r4 = t4.value;
    f3(function() {
      return i4(r4);
    });
  }, { name: "sub" });
};
l3.prototype.valueOf = function() {
  return this.value;
};
l3.prototype.toString = function() {
  return this.value + "";
};
l3.prototype.toJSON = function() {
  return this.value;
};
l3.prototype.peek = function() {
  var i4 = this;
  return f3(function() {
    return i4.value;
  });
};
Object.defineProperty(l3.prototype, "value", { get: function() {
  var i4 = d3(this);
  if (void 0 !== i4) i4.i = this.i;
  return this.v;
}, set: function(i4) {
  if (i4 !== this.v) {
    if (s3 > 100) throw new Error("Cycle detected");
    !(function(i5) {
      if (0 !== v3 && 0 === s3) {
        if (i5.l !== u3) {
          i5.l = u3;
          c3 = { S: i5, v: i5.v, i: i5.i, o: c3 };
        }
      }
    })(this);
    this.v = i4;
    this.i++;
    a3++;
    v3++;
    try {
      for (var r4 = this.t; void 0 !== r4; r4 = r4.x) r4.t.N();
    } finally {
      t3();
    }
  }
} });
function y3(i4, t4) {
  return new l3(i4, t4);
}
function w3(i4) {
  for (var t4 = i4.s; void 0 !== t4; t4 = t4.n) if (t4.S.i !== t4.i || !t4.S.h() || t4.S.i !== t4.i) return true;
  return false;
}
function b2(i4) {
  for (var t4 = i4.s; void 0 !== t4; t4 = t4.n) {
    var r4 = t4.S.n;
    if (void 0 !== r4) t4.r = r4;
    t4.S.n = t4;
    t4.i = -1;
    if (void 0 === t4.n) {
      i4.s = t4;
      break;
    }
  }
}
function _3(i4) {
  var t4 = i4.s, r4 = void 0;
  while (void 0 !== t4) {
    var n3 = t4.p;
    if (-1 === t4.i) {
      t4.S.U(t4);
      if (void 0 !== n3) n3.n = t4.n;
      if (void 0 !== t4.n) t4.n.p = n3;
    } else r4 = t4;
    t4.S.n = t4.r;
    if (void 0 !== t4.r) t4.r = void 0;
    t4 = n3;
  }
  i4.s = r4;
}
function j3(i4, t4) {
  l3.call(this, void 0, t4);
  this.x = i4;
  this.s = void 0;
  this.g = a3 - 1;
  this.f = 4;
}
j3.prototype = new l3();
j3.prototype.h = function() {
  this.f &= -3;
  if (1 & this.f) return false;
  if (32 == (36 & this.f)) return true;
  this.f &= -5;
  if (this.g === a3) return true;
  this.g = a3;
  this.f |= 1;
  if (this.i > 0 && !w3(this)) {
    this.f &= -2;
    return true;
  }
  var i4 = o3;
  try {
    b2(this);
    o3 = this;
    var t4 = this.x();
    if (16 & this.f || this.v !== t4 || 0 === this.i) {
      this.v = t4;
      this.f &= -17;
      this.i++;
    }
  } catch (i5) {
    this.v = i5;
    this.f |= 16;
    this.i++;
  }
  o3 = i4;
  _3(this);
  this.f &= -2;
  return true;
};
j3.prototype.S = function(i4) {
  if (void 0 === this.t) {
    this.f |= 36;
    for (var t4 = this.s; void 0 !== t4; t4 = t4.n) t4.S.S(t4);
  }
  l3.prototype.S.call(this, i4);
};
j3.prototype.U = function(i4) {
  if (void 0 !== this.t) {
    l3.prototype.U.call(this, i4);
    if (void 0 === this.t) {
      this.f &= -33;
      for (var t4 = this.s; void 0 !== t4; t4 = t4.n) t4.S.U(t4);
    }
  }
};
j3.prototype.N = function() {
  if (!(2 & this.f)) {
    this.f |= 6;
    for (var i4 = this.t; void 0 !== i4; i4 = i4.x) i4.t.N();
  }
};
Object.defineProperty(j3.prototype, "value", { get: function() {
  if (1 & this.f) throw new Error("Cycle detected");
  var i4 = d3(this);
  this.h();
  if (void 0 !== i4) i4.i = this.i;
  if (16 & this.f) throw this.v;
  return this.v;
} });
function O(i4, t4) {
  return new j3(i4, t4);
}
function p3(i4) {
  var r4 = i4.j;
  i4.j = void 0;
  if ("function" == typeof r4) {
    v3++;
    var n3 = o3;
    o3 = void 0;
    try {
      r4();
    } catch (t4) {
      i4.f &= -2;
      i4.f |= 8;
      g3(i4);
      throw t4;
    } finally {
      o3 = n3;
      t3();
    }
  }
}
function g3(i4) {
  for (var t4 = i4.s; void 0 !== t4; t4 = t4.n) t4.S.U(t4);
  i4.x = void 0;
  i4.s = void 0;
  p3(i4);
}
function S2(i4) {
  if (o3 !== this) throw new Error("Out-of-order effect");
  _3(this);
  o3 = i4;
  this.f &= -2;
  try {
    if (8 & this.f) g3(this);
  } finally {
    t3();
  }
}
function m3(i4, t4) {
  this.x = i4;
  this.j = void 0;
  this.s = void 0;
  this.u = void 0;
  this.f = 32;
  this.name = null == t4 ? void 0 : t4.name;
  if (n2) n2.push(this);
}
m3.prototype.c = function() {
  var i4 = this.S();
  try {
    if (8 & this.f) return;
    if (void 0 === this.x) return;
    var t4 = this.x();
    if ("function" == typeof t4) this.j = t4;
  } finally {
    i4();
  }
};
m3.prototype.S = function() {
  if (1 & this.f) throw new Error("Cycle detected");
  this.f |= 1;
  this.f &= -9;
  p3(this);
  b2(this);
  v3++;
  var i4 = o3;
  o3 = this;
  return S2.bind(this, i4);
};
m3.prototype.N = function() {
  if (!(2 & this.f)) {
    this.f |= 2;
    this.u = h3;
    h3 = this;
  }
};
m3.prototype.d = function() {
  this.f |= 8;
  if (!(1 & this.f)) g3(this);
};
m3.prototype.dispose = function() {
  this.d();
};
function x2(i4, t4) {
  var r4 = new m3(i4, t4);
  try {
    r4.c();
  } catch (i5) {
    r4.d();
    throw i5;
  }
  var n3 = r4.d.bind(r4);
  n3[Symbol.dispose] = n3;
  return n3;
}

// node_modules/@preact/signals/dist/signals.module.js
var h4;
var d4;
var p4;
var m4 = "undefined" != typeof window && !!window.__PREACT_SIGNALS_DEVTOOLS__;
var g4 = [];
x2(function() {
  h4 = this.N;
})();
function b3(i4, n3) {
  n[i4] = n3.bind(null, n[i4] || function() {
  });
}
function y4(i4) {
  if (p4) {
    var n3 = p4;
    p4 = void 0;
    n3();
  }
  p4 = i4 && i4.S();
}
function w4(i4) {
  var n3 = this, r4 = i4.data, t4 = useSignal(r4);
  t4.name = "ReactiveDom";
  t4.value = r4;
  var e4 = w2(function() {
    var i5 = n3, r5 = n3.__v;
    while (r5 = r5.__) if (r5.__c) {
      r5.__c.__$f |= 4;
      break;
    }
    var o5 = O(function() {
      var i6 = t4.value.value;
      return 0 === i6 ? 0 : true === i6 ? "" : i6 || "";
    }), e5 = O(function() {
      return !Array.isArray(o5.value) && !r(o5.value);
    }), u5 = x2(function() {
      this.N = M;
      if (e5.value) {
        var n4 = o5.value;
        if (i5.__v && i5.__v.__e && 3 === i5.__v.__e.nodeType) i5.__v.__e.data = n4;
      }
    }), c5 = n3.__$u.d;
    n3.__$u.d = function() {
      u5();
      c5.call(this);
    };
    return [e5, o5];
  }, []), u4 = e4[0], c4 = e4[1];
  return u4.value ? c4.peek() : c4.value;
}
w4.displayName = "ReactiveTextNode";
Object.defineProperties(l3.prototype, { constructor: { configurable: true, value: k($, null).constructor }, type: { configurable: true, value: w4 }, props: { configurable: true, get: function() {
  var i4 = this;
  return { data: { get value() {
    return i4.value;
  } } };
} }, __b: { configurable: true, value: 1 } });
b3("__b", function(i4, n3) {
  y4();
  d4 = void 0;
  if ("string" == typeof n3.type) {
    var r4, t4 = n3.props;
    for (var f5 in t4) if ("children" !== f5) {
      var o5 = t4[f5];
      if (o5 instanceof l3) {
        if (!r4) n3.__np = r4 = {};
        r4[f5] = o5;
        t4[f5] = o5.peek();
      }
    }
  }
  i4(n3);
});
b3("__r", function(i4, r4) {
  i4(r4);
  if (r4.type !== $) {
    y4();
    var t4, f5 = r4.__c;
    if (f5) {
      f5.__$f &= -2;
      if (void 0 === (t4 = f5.__$u)) f5.__$u = t4 = (function(i5, n3) {
        var r5;
        x2(function() {
          r5 = this;
        }, { name: n3 });
        r5.c = i5;
        return r5;
      })(/* @__PURE__ */ (function(i5) {
        return function() {
          var n3;
          if (m4) null == (n3 = this.y) || n3.call(this);
          i5.__$f |= 1;
          i5.setState({});
        };
      })(f5), "function" == typeof r4.type ? r4.type.displayName || r4.type.name : "");
    }
    d4 = f5;
    y4(t4);
  }
});
b3("__e", function(i4, n3, r4, t4) {
  y4();
  d4 = void 0;
  i4(n3, r4, t4);
});
b3("diffed", function(i4, n3) {
  y4();
  d4 = void 0;
  var r4;
  if ("string" == typeof n3.type && (r4 = n3.__e)) {
    var t4 = n3.__np, f5 = n3.props, o5 = r4.U;
    if (o5) for (var e4 in o5) {
      var u4 = o5[e4];
      if (!(void 0 === u4 || t4 && e4 in t4)) {
        u4.d();
        o5[e4] = void 0;
      }
    }
    if (t4) {
      if (!o5) {
        o5 = {};
        r4.U = o5;
      }
      for (var a5 in t4) {
        var c4 = o5[a5], v4 = t4[a5];
        if (void 0 === c4) {
          c4 = k3(r4, a5, v4, f5);
          o5[a5] = c4;
        } else c4.o(v4, f5);
      }
    }
  }
  i4(n3);
});
function k3(i4, n3, r4, t4) {
  var f5 = n3 in i4 && void 0 === i4.ownerSVGElement, o5 = y3(r4);
  return { o: function(i5, n4) {
    o5.value = i5;
    t4 = n4;
  }, d: x2(function() {
    this.N = M;
    var r5 = o5.value.value;
    if (t4[n3] !== r5) {
      t4[n3] = r5;
      if (f5) i4[n3] = r5;
      else if (null != r5 && (false !== r5 || "-" === n3[4])) i4.setAttribute(n3, r5);
      else i4.removeAttribute(n3);
    }
  }) };
}
b3("unmount", function(i4, n3) {
  if ("string" == typeof n3.type) {
    var r4 = n3.__e;
    if (r4) {
      var t4 = r4.U;
      if (t4) {
        r4.U = void 0;
        for (var f5 in t4) {
          var o5 = t4[f5];
          if (o5) o5.d();
        }
      }
    }
    var e4 = n3.__np;
    if (e4) {
      var u4 = n3.props;
      for (var a5 in e4) u4[a5] = e4[a5];
    }
    n3.__np = void 0;
  } else {
    var c4 = n3.__c;
    if (c4) {
      c4.__$f |= 8;
      var v4 = c4.__$u;
      if (v4) {
        c4.__$u = void 0;
        v4.d();
      }
    }
  }
  i4(n3);
});
b3("__h", function(i4, n3, r4, t4) {
  if (t4 < 3) n3.__$f |= 2;
  i4(n3, r4, t4);
});
x.prototype.shouldComponentUpdate = function(i4, n3) {
  if (this.__R) return true;
  var r4 = this.__$u, t4 = r4 && void 0 !== r4.s;
  for (var f5 in n3) return true;
  if (this.__f || "boolean" == typeof this.u && true === this.u) {
    var o5 = 2 & this.__$f;
    if (!(t4 || o5 || 4 & this.__$f)) return true;
    if (1 & this.__$f) return true;
  } else {
    if (!(t4 || 4 & this.__$f)) return true;
    if (3 & this.__$f) return true;
  }
  for (var e4 in i4) if ("__source" !== e4 && i4[e4] !== this.props[e4]) return true;
  for (var u4 in this.props) if (!(u4 in i4)) return true;
  return false;
};
function useSignal(i4, n3) {
  return w2(function() {
    return y3(i4, n3);
  }, []);
}
var A3 = function(i4) {
  queueMicrotask(function() {
    queueMicrotask(i4);
  });
};
function F3() {
  r3(function() {
    var i4;
    while (i4 = g4.shift()) h4.call(i4);
  });
}
function M() {
  if (1 === g4.push(this)) (n.requestAnimationFrame || A3)(F3);
}

// src/kinds/about.ts
var loaded = y3({});
async function loadAbout() {
  loaded.value = (await import("./about.js")).ABOUT;
}
function about(key) {
  return loaded.value[key] ?? loaded.value[key.replace(/^(\w+)Input\./, "$1.")];
}

// src/server/refused.ts
var Refused = class extends Error {
  code;
  field;
  extensions;
  constructor(code, message, extensions = {}) {
    super(message);
    this.code = code;
    this.extensions = extensions;
    this.field = typeof extensions.field === "string" ? extensions.field : void 0;
  }
};
var REMEDIES = {
  UNAUTHENTICATED: { remedy: "sign-in", title: "The server wants a token" },
  FORBIDDEN: { remedy: "say", title: "Not allowed" },
  NOT_FOUND: { remedy: "say", title: "Not found" },
  INVALID: { remedy: "at-field", title: "Not valid" },
  IMMUTABLE: { remedy: "at-field", title: "Cannot be changed" },
  AMBIGUOUS: { remedy: "at-field", title: "More than one object fits" },
  DUPLICATE: { remedy: "at-field", title: "Exists already" },
  IN_USE: { remedy: "at-field", title: "Still in use" },
  OVERLAP: { remedy: "at-field", title: "Overlaps" },
  INCOMPATIBLE: { remedy: "at-field", title: "Does not fit" },
  REQUEST_REUSED: { remedy: "say", title: "The name of another request" },
  STALE_VERSION: { remedy: "at-field", title: "Changed meanwhile" },
  MANAGED_ELSEWHERE: { remedy: "at-field", title: "Managed by a source" },
  BATCH_TOO_LARGE: { remedy: "say", title: "Too many at once" },
  TOO_COMPLEX: { remedy: "say", title: "Too much for one query" },
  TIMEOUT: { remedy: "retry", title: "The server took too long" },
  REVISION_COMPACTED: { remedy: "reload", title: "The revision is no longer kept" },
  UNAVAILABLE: { remedy: "retry", title: "The server is not available" },
  NETWORK: { remedy: "retry", title: "The server cannot be reached" },
  INTERNAL: { remedy: "say", title: "The server failed" }
};
var remedyOf = (error) => REMEDIES[error.code]?.remedy ?? "say";
var titleOf = (code) => REMEDIES[code]?.title ?? code;
function asRefused(error) {
  if (error instanceof Refused) return error;
  return new Refused("INTERNAL", error instanceof Error ? error.message : String(error));
}

// node_modules/preact/jsx-runtime/dist/jsxRuntime.mjs
var f4 = /* @__PURE__ */ Symbol.for("pv");
var o4 = 0;
function a4(t4, e4, n3, u4, a5, i4) {
  e4 || (e4 = {});
  var c4, l4, p5 = e4;
  if ("ref" in p5 && "function" != typeof t4) for (l4 in p5 = {}, e4) "ref" == l4 ? c4 = e4[l4] : p5[l4] = e4[l4];
  var s4 = { type: t4, props: p5, key: n3, ref: c4, __k: null, __: null, __b: 0, __e: null, __c: null, constructor: f4, __v: --o4, __i: -1, __u: 0 };
  return (a5 || i4) && (s4.__source = a5, s4.__self = i4), n.vnode && n.vnode(s4), s4;
}

// src/parts/failure.tsx
function Failure({ error, again }) {
  return /* @__PURE__ */ a4("div", { class: "failure", role: "alert", children: [
    /* @__PURE__ */ a4("b", { children: titleOf(error.code) }),
    /* @__PURE__ */ a4("span", { children: error.message }),
    again && /* @__PURE__ */ a4("button", { type: "button", onClick: again, children: "Try again" })
  ] });
}

// src/parts/lazy.tsx
function lazy(load, how = "in") {
  let loaded2;
  return function Lazy(props) {
    const [, show] = d2(0);
    const [failed, setFailed] = d2(false);
    const begin2 = () => {
      setFailed(false);
      load().then((it) => {
        loaded2 = it;
        show(1);
      }, () => setFailed(true));
    };
    A2(() => {
      if (!loaded2) begin2();
    }, []);
    if (failed) return /* @__PURE__ */ a4(Failure, { error: new Refused("NETWORK", "A part of the console cannot be loaded."), again: begin2 });
    const Loaded = loaded2;
    if (Loaded) return /* @__PURE__ */ a4(Loaded, { ...props });
    return how === "in" ? /* @__PURE__ */ a4("p", { class: "waiting", children: "Reading\u2026" }) : null;
  };
}

// src/kinds/generated.ts
var KINDS = {
  "Region": {
    "name": "Region",
    "one": "region",
    "list": "regions",
    "fields": [
      {
        "name": "id",
        "required": true,
        "is": "scalar",
        "of": "ID"
      },
      {
        "name": "name",
        "required": true,
        "is": "scalar",
        "of": "String"
      },
      {
        "name": "displayName",
        "is": "scalar",
        "of": "String"
      },
      {
        "name": "coordinates",
        "is": "value",
        "of": "Coordinates"
      },
      {
        "name": "labels",
        "required": true,
        "is": "scalar",
        "of": "Labels"
      },
      {
        "name": "tenant",
        "is": "scalar",
        "of": "String"
      },
      {
        "name": "description",
        "is": "scalar",
        "of": "String"
      },
      {
        "name": "attributes",
        "required": true,
        "is": "scalar",
        "of": "JSON"
      },
      {
        "name": "externalRefs",
        "required": true,
        "list": true,
        "is": "value",
        "of": "ExternalRef"
      },
      {
        "name": "version",
        "required": true,
        "is": "scalar",
        "of": "Revision"
      },
      {
        "name": "createdAt",
        "required": true,
        "is": "scalar",
        "of": "DateTime"
      },
      {
        "name": "updatedAt",
        "required": true,
        "is": "scalar",
        "of": "DateTime"
      },
      {
        "name": "parent",
        "is": "one",
        "of": "Region"
      },
      {
        "name": "children",
        "is": "many",
        "of": "Region"
      },
      {
        "name": "sites",
        "is": "many",
        "of": "Site"
      }
    ],
    "orders": [
      "KEY",
      "UPDATED_AT",
      "CREATED_AT",
      "NAME",
      "PATH",
      "DISPLAY_NAME"
    ],
    "create": true,
    "change": true,
    "remove": true,
    "apply": true
  },
  "Site": {
    "name": "Site",
    "one": "site",
    "list": "sites",
    "fields": [
      {
        "name": "id",
        "required": true,
        "is": "scalar",
        "of": "ID"
      },
      {
        "name": "name",
        "required": true,
        "is": "scalar",
        "of": "String"
      },
      {
        "name": "displayName",
        "is": "scalar",
        "of": "String"
      },
      {
        "name": "type",
        "required": true,
        "is": "enum",
        "of": "SiteType"
      },
      {
        "name": "address",
        "is": "scalar",
        "of": "String"
      },
      {
        "name": "coordinates",
        "is": "value",
        "of": "Coordinates"
      },
      {
        "name": "timeZone",
        "is": "scalar",
        "of": "String"
      },
      {
        "name": "status",
        "required": true,
        "is": "enum",
        "of": "Status"
      },
      {
        "name": "labels",
        "required": true,
        "is": "scalar",
        "of": "Labels"
      },
      {
        "name": "tenant",
        "is": "scalar",
        "of": "String"
      },
      {
        "name": "description",
        "is": "scalar",
        "of": "String"
      },
      {
        "name": "attributes",
        "required": true,
        "is": "scalar",
        "of": "JSON"
      },
      {
        "name": "externalRefs",
        "required": true,
        "list": true,
        "is": "value",
        "of": "ExternalRef"
      },
      {
        "name": "version",
        "required": true,
        "is": "scalar",
        "of": "Revision"
      },
      {
        "name": "createdAt",
        "required": true,
        "is": "scalar",
        "of": "DateTime"
      },
      {
        "name": "updatedAt",
        "required": true,
        "is": "scalar",
        "of": "DateTime"
      },
      {
        "name": "region",
        "is": "one",
        "of": "Region"
      },
      {
        "name": "provider",
        "is": "one",
        "of": "Provider"
      },
      {
        "name": "locations",
        "is": "many",
        "of": "Location"
      },
      {
        "name": "racks",
        "is": "many",
        "of": "Rack"
      },
      {
        "name": "powerFeeds",
        "is": "many",
        "of": "PowerFeed"
      },
      {
        "name": "devices",
        "is": "many",
        "of": "Device"
      },
      {
        "name": "circuitTerminations",
        "is": "many",
        "of": "CircuitTermination"
      },
      {
        "name": "clusters",
        "is": "many",
        "of": "Cluster"
      },
      {
        "name": "appliances",
        "is": "many",
        "of": "Appliance"
      }
    ],
    "orders": [
      "KEY",
      "UPDATED_AT",
      "CREATED_AT",
      "NAME",
      "PATH",
      "DISPLAY_NAME"
    ],
    "create": true,
    "change": true,
    "remove": true,
    "apply": true
  },
  "Location": {
    "name": "Location",
    "one": "location",
    "list": "locations",
    "fields": [
      {
        "name": "id",
        "required": true,
        "is": "scalar",
        "of": "ID"
      },
      {
        "name": "name",
        "required": true,
        "is": "scalar",
        "of": "String"
      },
      {
        "name": "type",
        "is": "enum",
        "of": "LocationType"
      },
      {
        "name": "labels",
        "required": true,
        "is": "scalar",
        "of": "Labels"
      },
      {
        "name": "tenant",
        "is": "scalar",
        "of": "String"
      },
      {
        "name": "description",
        "is": "scalar",
        "of": "String"
      },
      {
        "name": "attributes",
        "required": true,
        "is": "scalar",
        "of": "JSON"
      },
      {
        "name": "externalRefs",
        "required": true,
        "list": true,
        "is": "value",
        "of": "ExternalRef"
      },
      {
        "name": "version",
        "required": true,
        "is": "scalar",
        "of": "Revision"
      },
      {
        "name": "createdAt",
        "required": true,
        "is": "scalar",
        "of": "DateTime"
      },
      {
        "name": "updatedAt",
        "required": true,
        "is": "scalar",
        "of": "DateTime"
      },
      {
        "name": "site",
        "required": true,
        "is": "one",
        "of": "Site"
      },
      {
        "name": "parent",
        "is": "one",
        "of": "Location"
      },
      {
        "name": "children",
        "is": "many",
        "of": "Location"
      },
      {
        "name": "racks",
        "is": "many",
        "of": "Rack"
      },
      {
        "name": "devices",
        "is": "many",
        "of": "Device"
      }
    ],
    "orders": [
      "KEY",
      "UPDATED_AT",
      "CREATED_AT",
      "NAME",
      "PATH"
    ],
    "create": true,
    "change": true,
    "remove": true,
    "apply": true
  },
  "Rack": {
    "name": "Rack",
    "one": "rack",
    "list": "racks",
    "fields": [
      {
        "name": "id",
        "required": true,
        "is": "scalar",
        "of": "ID"
      },
      {
        "name": "name",
        "required": true,
        "is": "scalar",
        "of": "String"
      },
      {
        "name": "cage",
        "is": "scalar",
        "of": "String"
      },
      {
        "name": "row",
        "is": "scalar",
        "of": "String"
      },
      {
        "name": "heightU",
        "required": true,
        "is": "scalar",
        "of": "Int"
      },
      {
        "name": "serial",
        "is": "scalar",
        "of": "String"
      },
      {
        "name": "assetTag",
        "is": "scalar",
        "of": "String"
      },
      {
        "name": "status",
        "required": true,
        "is": "enum",
        "of": "Status"
      },
      {
        "name": "position",
        "is": "value",
        "of": "RackPosition"
      },
      {
        "name": "labels",
        "required": true,
        "is": "scalar",
        "of": "Labels"
      },
      {
        "name": "tenant",
        "is": "scalar",
        "of": "String"
      },
      {
        "name": "description",
        "is": "scalar",
        "of": "String"
      },
      {
        "name": "attributes",
        "required": true,
        "is": "scalar",
        "of": "JSON"
      },
      {
        "name": "externalRefs",
        "required": true,
        "list": true,
        "is": "value",
        "of": "ExternalRef"
      },
      {
        "name": "version",
        "required": true,
        "is": "scalar",
        "of": "Revision"
      },
      {
        "name": "createdAt",
        "required": true,
        "is": "scalar",
        "of": "DateTime"
      },
      {
        "name": "updatedAt",
        "required": true,
        "is": "scalar",
        "of": "DateTime"
      },
      {
        "name": "site",
        "required": true,
        "is": "one",
        "of": "Site"
      },
      {
        "name": "location",
        "is": "one",
        "of": "Location"
      },
      {
        "name": "devices",
        "is": "many",
        "of": "Device"
      },
      {
        "name": "ports",
        "is": "many",
        "of": "Port"
      },
      {
        "name": "powerFeeds",
        "is": "many",
        "of": "PowerFeed"
      },
      {
        "name": "appliances",
        "is": "many",
        "of": "Appliance"
      },
      {
        "name": "unitsUsed",
        "required": true,
        "is": "scalar",
        "of": "Float"
      },
      {
        "name": "unitsFree",
        "required": true,
        "is": "scalar",
        "of": "Float"
      },
      {
        "name": "largestFree",
        "required": true,
        "is": "scalar",
        "of": "Float"
      },
      {
        "name": "powerDrawW",
        "is": "value",
        "of": "RackPowerDraw"
      },
      {
        "name": "powerRatedW",
        "is": "scalar",
        "of": "Long"
      }
    ],
    "orders": [
      "KEY",
      "UPDATED_AT",
      "CREATED_AT",
      "NAME",
      "PATH",
      "CAGE",
      "ROW",
      "HEIGHT_U"
    ],
    "create": true,
    "change": true,
    "remove": true,
    "apply": true
  },
  "PowerFeed": {
    "name": "PowerFeed",
    "one": "powerFeed",
    "list": "powerFeeds",
    "fields": [
      {
        "name": "id",
        "required": true,
        "is": "scalar",
        "of": "ID"
      },
      {
        "name": "name",
        "required": true,
        "is": "scalar",
        "of": "String"
      },
      {
        "name": "phase",
        "is": "enum",
        "of": "Phase"
      },
      {
        "name": "voltage",
        "is": "scalar",
        "of": "Int"
      },
      {
        "name": "ampsRated",
        "is": "scalar",
        "of": "Int"
      },
      {
        "name": "riskGroups",
        "required": true,
        "list": true,
        "is": "scalar",
        "of": "String"
      },
      {
        "name": "status",
        "required": true,
        "is": "enum",
        "of": "Status"
      },
      {
        "name": "labels",
        "required": true,
        "is": "scalar",
        "of": "Labels"
      },
      {
        "name": "tenant",
        "is": "scalar",
        "of": "String"
      },
      {
        "name": "description",
        "is": "scalar",
        "of": "String"
      },
      {
        "name": "attributes",
        "required": true,
        "is": "scalar",
        "of": "JSON"
      },
      {
        "name": "externalRefs",
        "required": true,
        "list": true,
        "is": "value",
        "of": "ExternalRef"
      },
      {
        "name": "version",
        "required": true,
        "is": "scalar",
        "of": "Revision"
      },
      {
        "name": "createdAt",
        "required": true,
        "is": "scalar",
        "of": "DateTime"
      },
      {
        "name": "updatedAt",
        "required": true,
        "is": "scalar",
        "of": "DateTime"
      },
      {
        "name": "site",
        "required": true,
        "is": "one",
        "of": "Site"
      },
      {
        "name": "rack",
        "is": "one",
        "of": "Rack"
      },
      {
        "name": "downstream",
        "is": "many",
        "of": "PowerFeed"
      },
      {
        "name": "farEnds",
        "required": true,
        "list": true,
        "is": "union",
        "of": "Hop"
      },
      {
        "name": "farEndsTruncated",
        "required": true,
        "is": "scalar",
        "of": "Boolean"
      },
      {
        "name": "upstream",
        "is": "union",
        "of": "PowerSource"
      },
      {
        "name": "cable",
        "is": "one",
        "of": "Cable"
      },
      {
        "name": "peers",
        "required": true,
        "list": true,
        "is": "union",
        "of": "CableEnd"
      }
    ],
    "orders": [
      "KEY",
      "UPDATED_AT",
      "CREATED_AT",
      "NAME",
      "PATH",
      "VOLTAGE",
      "AMPS_RATED"
    ],
    "create": true,
    "change": true,
    "remove": true,
    "apply": true
  },
  "Device": {
    "name": "Device",
    "one": "device",
    "list": "devices",
    "fields": [
      {
        "name": "id",
        "required": true,
        "is": "scalar",
        "of": "ID"
      },
      {
        "name": "name",
        "required": true,
        "is": "scalar",
        "of": "String"
      },
      {
        "name": "role",
        "required": true,
        "is": "enum",
        "of": "DeviceRole"
      },
      {
        "name": "slot",
        "is": "scalar",
        "of": "String"
      },
      {
        "name": "manufacturer",
        "is": "scalar",
        "of": "String"
      },
      {
        "name": "model",
        "is": "scalar",
        "of": "String"
      },
      {
        "name": "serial",
        "is": "scalar",
        "of": "String"
      },
      {
        "name": "assetTag",
        "is": "scalar",
        "of": "String"
      },
      {
        "name": "platform",
        "is": "scalar",
        "of": "String"
      },
      {
        "name": "forwards",
        "is": "scalar",
        "of": "Boolean"
      },
      {
        "name": "plane",
        "required": true,
        "is": "enum",
        "of": "Plane"
      },
      {
        "name": "inletsRequired",
        "required": true,
        "is": "scalar",
        "of": "Int"
      },
      {
        "name": "addresses",
        "required": true,
        "list": true,
        "is": "value",
        "of": "Address"
      },
      {
        "name": "hardware",
        "is": "value",
        "of": "Hardware"
      },
      {
        "name": "status",
        "required": true,
        "is": "enum",
        "of": "Status"
      },
      {
        "name": "labels",
        "required": true,
        "is": "scalar",
        "of": "Labels"
      },
      {
        "name": "tenant",
        "is": "scalar",
        "of": "String"
      },
      {
        "name": "description",
        "is": "scalar",
        "of": "String"
      },
      {
        "name": "attributes",
        "required": true,
        "is": "scalar",
        "of": "JSON"
      },
      {
        "name": "externalRefs",
        "required": true,
        "list": true,
        "is": "value",
        "of": "ExternalRef"
      },
      {
        "name": "version",
        "required": true,
        "is": "scalar",
        "of": "Revision"
      },
      {
        "name": "createdAt",
        "required": true,
        "is": "scalar",
        "of": "DateTime"
      },
      {
        "name": "updatedAt",
        "required": true,
        "is": "scalar",
        "of": "DateTime"
      },
      {
        "name": "site",
        "required": true,
        "is": "one",
        "of": "Site"
      },
      {
        "name": "location",
        "is": "one",
        "of": "Location"
      },
      {
        "name": "cluster",
        "is": "one",
        "of": "Cluster"
      },
      {
        "name": "parent",
        "is": "one",
        "of": "Device"
      },
      {
        "name": "ports",
        "is": "many",
        "of": "Port"
      },
      {
        "name": "children",
        "is": "many",
        "of": "Device"
      },
      {
        "name": "virtualMachines",
        "is": "many",
        "of": "VirtualMachine"
      },
      {
        "name": "hosts",
        "is": "many",
        "of": "Host"
      },
      {
        "name": "rack",
        "is": "one",
        "of": "Rack"
      },
      {
        "name": "startUnit",
        "is": "scalar",
        "of": "Float"
      },
      {
        "name": "placement",
        "is": "value",
        "of": "Placement"
      }
    ],
    "orders": [
      "KEY",
      "UPDATED_AT",
      "CREATED_AT",
      "NAME",
      "PATH",
      "START_UNIT",
      "MANUFACTURER",
      "MODEL",
      "SERIAL",
      "ASSET_TAG"
    ],
    "create": true,
    "change": true,
    "remove": true,
    "apply": true
  },
  "Port": {
    "name": "Port",
    "one": "port",
    "list": "ports",
    "fields": [
      {
        "name": "id",
        "required": true,
        "is": "scalar",
        "of": "ID"
      },
      {
        "name": "name",
        "required": true,
        "is": "scalar",
        "of": "String"
      },
      {
        "name": "type",
        "required": true,
        "is": "enum",
        "of": "PortType"
      },
      {
        "name": "family",
        "required": true,
        "is": "enum",
        "of": "PortFamily"
      },
      {
        "name": "connector",
        "is": "scalar",
        "of": "String"
      },
      {
        "name": "speedBps",
        "is": "scalar",
        "of": "Long"
      },
      {
        "name": "mtu",
        "is": "scalar",
        "of": "Int"
      },
      {
        "name": "mac",
        "is": "scalar",
        "of": "MAC"
      },
      {
        "name": "addresses",
        "required": true,
        "list": true,
        "is": "scalar",
        "of": "String"
      },
      {
        "name": "mgmtOnly",
        "required": true,
        "is": "scalar",
        "of": "Boolean"
      },
      {
        "name": "enabled",
        "required": true,
        "is": "scalar",
        "of": "Boolean"
      },
      {
        "name": "markConnected",
        "required": true,
        "is": "scalar",
        "of": "Boolean"
      },
      {
        "name": "positions",
        "required": true,
        "is": "scalar",
        "of": "Int"
      },
      {
        "name": "drawW",
        "is": "value",
        "of": "PowerDraw"
      },
      {
        "name": "labels",
        "required": true,
        "is": "scalar",
        "of": "Labels"
      },
      {
        "name": "tenant",
        "is": "scalar",
        "of": "String"
      },
      {
        "name": "description",
        "is": "scalar",
        "of": "String"
      },
      {
        "name": "attributes",
        "required": true,
        "is": "scalar",
        "of": "JSON"
      },
      {
        "name": "externalRefs",
        "required": true,
        "list": true,
        "is": "value",
        "of": "ExternalRef"
      },
      {
        "name": "version",
        "required": true,
        "is": "scalar",
        "of": "Revision"
      },
      {
        "name": "createdAt",
        "required": true,
        "is": "scalar",
        "of": "DateTime"
      },
      {
        "name": "updatedAt",
        "required": true,
        "is": "scalar",
        "of": "DateTime"
      },
      {
        "name": "device",
        "is": "one",
        "of": "Device"
      },
      {
        "name": "rack",
        "is": "one",
        "of": "Rack"
      },
      {
        "name": "virtualMachine",
        "is": "one",
        "of": "VirtualMachine"
      },
      {
        "name": "lag",
        "is": "one",
        "of": "Port"
      },
      {
        "name": "parent",
        "is": "one",
        "of": "Port"
      },
      {
        "name": "members",
        "is": "many",
        "of": "Port"
      },
      {
        "name": "children",
        "is": "many",
        "of": "Port"
      },
      {
        "name": "outlets",
        "is": "many",
        "of": "Port"
      },
      {
        "name": "powerFeeds",
        "is": "many",
        "of": "PowerFeed"
      },
      {
        "name": "farEnds",
        "required": true,
        "list": true,
        "is": "union",
        "of": "Hop"
      },
      {
        "name": "farEndsTruncated",
        "required": true,
        "is": "scalar",
        "of": "Boolean"
      },
      {
        "name": "fedBy",
        "required": true,
        "list": true,
        "is": "union",
        "of": "PowerSource"
      },
      {
        "name": "passThrough",
        "required": true,
        "list": true,
        "is": "value",
        "of": "PassThrough"
      },
      {
        "name": "cable",
        "is": "one",
        "of": "Cable"
      },
      {
        "name": "peers",
        "required": true,
        "list": true,
        "is": "union",
        "of": "CableEnd"
      },
      {
        "name": "circuitTermination",
        "is": "one",
        "of": "CircuitTermination"
      }
    ],
    "orders": [
      "KEY",
      "UPDATED_AT",
      "CREATED_AT",
      "NAME",
      "PATH",
      "SPEED_BPS",
      "MAC"
    ],
    "create": true,
    "change": true,
    "remove": true,
    "apply": true
  },
  "Cable": {
    "name": "Cable",
    "one": "cable",
    "list": "cables",
    "fields": [
      {
        "name": "id",
        "required": true,
        "is": "scalar",
        "of": "ID"
      },
      {
        "name": "name",
        "required": true,
        "is": "scalar",
        "of": "String"
      },
      {
        "name": "label",
        "is": "scalar",
        "of": "String"
      },
      {
        "name": "media",
        "is": "enum",
        "of": "Media"
      },
      {
        "name": "status",
        "required": true,
        "is": "enum",
        "of": "CableStatus"
      },
      {
        "name": "lengthM",
        "is": "scalar",
        "of": "Float"
      },
      {
        "name": "color",
        "is": "scalar",
        "of": "String"
      },
      {
        "name": "riskGroups",
        "required": true,
        "list": true,
        "is": "scalar",
        "of": "String"
      },
      {
        "name": "lanes",
        "required": true,
        "list": true,
        "is": "value",
        "of": "Lane"
      },
      {
        "name": "labels",
        "required": true,
        "is": "scalar",
        "of": "Labels"
      },
      {
        "name": "tenant",
        "is": "scalar",
        "of": "String"
      },
      {
        "name": "description",
        "is": "scalar",
        "of": "String"
      },
      {
        "name": "attributes",
        "required": true,
        "is": "scalar",
        "of": "JSON"
      },
      {
        "name": "externalRefs",
        "required": true,
        "list": true,
        "is": "value",
        "of": "ExternalRef"
      },
      {
        "name": "version",
        "required": true,
        "is": "scalar",
        "of": "Revision"
      },
      {
        "name": "createdAt",
        "required": true,
        "is": "scalar",
        "of": "DateTime"
      },
      {
        "name": "updatedAt",
        "required": true,
        "is": "scalar",
        "of": "DateTime"
      },
      {
        "name": "links",
        "is": "many",
        "of": "Link"
      },
      {
        "name": "aEnds",
        "required": true,
        "list": true,
        "is": "union",
        "of": "CableEnd"
      },
      {
        "name": "bEnds",
        "required": true,
        "list": true,
        "is": "union",
        "of": "CableEnd"
      }
    ],
    "orders": [
      "KEY",
      "UPDATED_AT",
      "CREATED_AT",
      "NAME",
      "PATH",
      "LABEL",
      "LENGTH_M"
    ],
    "create": true,
    "change": true,
    "remove": true,
    "apply": true
  },
  "Link": {
    "name": "Link",
    "one": "link",
    "list": "links",
    "fields": [
      {
        "name": "id",
        "required": true,
        "is": "scalar",
        "of": "ID"
      },
      {
        "name": "name",
        "required": true,
        "is": "scalar",
        "of": "String"
      },
      {
        "name": "type",
        "required": true,
        "is": "enum",
        "of": "LinkType"
      },
      {
        "name": "capacityMbps",
        "is": "scalar",
        "of": "Long"
      },
      {
        "name": "latencyMs",
        "is": "scalar",
        "of": "Float"
      },
      {
        "name": "labels",
        "required": true,
        "is": "scalar",
        "of": "Labels"
      },
      {
        "name": "tenant",
        "is": "scalar",
        "of": "String"
      },
      {
        "name": "description",
        "is": "scalar",
        "of": "String"
      },
      {
        "name": "attributes",
        "required": true,
        "is": "scalar",
        "of": "JSON"
      },
      {
        "name": "externalRefs",
        "required": true,
        "list": true,
        "is": "value",
        "of": "ExternalRef"
      },
      {
        "name": "version",
        "required": true,
        "is": "scalar",
        "of": "Revision"
      },
      {
        "name": "createdAt",
        "required": true,
        "is": "scalar",
        "of": "DateTime"
      },
      {
        "name": "updatedAt",
        "required": true,
        "is": "scalar",
        "of": "DateTime"
      },
      {
        "name": "a",
        "required": true,
        "is": "union",
        "of": "LinkEnd"
      },
      {
        "name": "b",
        "required": true,
        "is": "union",
        "of": "LinkEnd"
      },
      {
        "name": "cables",
        "required": true,
        "list": true,
        "is": "one",
        "of": "Cable"
      }
    ],
    "orders": [
      "KEY",
      "UPDATED_AT",
      "CREATED_AT",
      "NAME",
      "PATH",
      "CAPACITY_MBPS",
      "LATENCY_MS"
    ],
    "create": true,
    "change": true,
    "remove": true,
    "apply": true
  },
  "Provider": {
    "name": "Provider",
    "one": "provider",
    "list": "providers",
    "fields": [
      {
        "name": "id",
        "required": true,
        "is": "scalar",
        "of": "ID"
      },
      {
        "name": "name",
        "required": true,
        "is": "scalar",
        "of": "String"
      },
      {
        "name": "displayName",
        "is": "scalar",
        "of": "String"
      },
      {
        "name": "type",
        "required": true,
        "is": "enum",
        "of": "ProviderType"
      },
      {
        "name": "contract",
        "is": "value",
        "of": "Contract"
      },
      {
        "name": "serviceIdentifiers",
        "required": true,
        "list": true,
        "is": "value",
        "of": "ServiceIdentifier"
      },
      {
        "name": "labels",
        "required": true,
        "is": "scalar",
        "of": "Labels"
      },
      {
        "name": "tenant",
        "is": "scalar",
        "of": "String"
      },
      {
        "name": "description",
        "is": "scalar",
        "of": "String"
      },
      {
        "name": "attributes",
        "required": true,
        "is": "scalar",
        "of": "JSON"
      },
      {
        "name": "externalRefs",
        "required": true,
        "list": true,
        "is": "value",
        "of": "ExternalRef"
      },
      {
        "name": "version",
        "required": true,
        "is": "scalar",
        "of": "Revision"
      },
      {
        "name": "createdAt",
        "required": true,
        "is": "scalar",
        "of": "DateTime"
      },
      {
        "name": "updatedAt",
        "required": true,
        "is": "scalar",
        "of": "DateTime"
      },
      {
        "name": "sites",
        "is": "many",
        "of": "Site"
      },
      {
        "name": "networks",
        "is": "many",
        "of": "ProviderNetwork"
      },
      {
        "name": "circuits",
        "is": "many",
        "of": "Circuit"
      },
      {
        "name": "virtualMachines",
        "is": "many",
        "of": "VirtualMachine"
      }
    ],
    "orders": [
      "KEY",
      "UPDATED_AT",
      "CREATED_AT",
      "NAME",
      "PATH",
      "DISPLAY_NAME"
    ],
    "create": true,
    "change": true,
    "remove": true,
    "apply": true
  },
  "ProviderNetwork": {
    "name": "ProviderNetwork",
    "one": "providerNetwork",
    "list": "providerNetworks",
    "fields": [
      {
        "name": "id",
        "required": true,
        "is": "scalar",
        "of": "ID"
      },
      {
        "name": "name",
        "required": true,
        "is": "scalar",
        "of": "String"
      },
      {
        "name": "labels",
        "required": true,
        "is": "scalar",
        "of": "Labels"
      },
      {
        "name": "tenant",
        "is": "scalar",
        "of": "String"
      },
      {
        "name": "description",
        "is": "scalar",
        "of": "String"
      },
      {
        "name": "attributes",
        "required": true,
        "is": "scalar",
        "of": "JSON"
      },
      {
        "name": "externalRefs",
        "required": true,
        "list": true,
        "is": "value",
        "of": "ExternalRef"
      },
      {
        "name": "version",
        "required": true,
        "is": "scalar",
        "of": "Revision"
      },
      {
        "name": "createdAt",
        "required": true,
        "is": "scalar",
        "of": "DateTime"
      },
      {
        "name": "updatedAt",
        "required": true,
        "is": "scalar",
        "of": "DateTime"
      },
      {
        "name": "provider",
        "required": true,
        "is": "one",
        "of": "Provider"
      },
      {
        "name": "circuitTerminations",
        "is": "many",
        "of": "CircuitTermination"
      }
    ],
    "orders": [
      "KEY",
      "UPDATED_AT",
      "CREATED_AT",
      "NAME",
      "PATH"
    ],
    "create": true,
    "change": true,
    "remove": true,
    "apply": true
  },
  "Circuit": {
    "name": "Circuit",
    "one": "circuit",
    "list": "circuits",
    "fields": [
      {
        "name": "id",
        "required": true,
        "is": "scalar",
        "of": "ID"
      },
      {
        "name": "name",
        "required": true,
        "is": "scalar",
        "of": "String"
      },
      {
        "name": "circuitId",
        "is": "scalar",
        "of": "String"
      },
      {
        "name": "type",
        "required": true,
        "is": "enum",
        "of": "CircuitType"
      },
      {
        "name": "bandwidthMbps",
        "is": "scalar",
        "of": "Long"
      },
      {
        "name": "distanceM",
        "is": "scalar",
        "of": "Float"
      },
      {
        "name": "latencyMs",
        "is": "scalar",
        "of": "Float"
      },
      {
        "name": "installedOn",
        "is": "scalar",
        "of": "Date"
      },
      {
        "name": "riskGroups",
        "required": true,
        "list": true,
        "is": "scalar",
        "of": "String"
      },
      {
        "name": "status",
        "required": true,
        "is": "enum",
        "of": "Status"
      },
      {
        "name": "serviceRef",
        "is": "value",
        "of": "ObjectReference"
      },
      {
        "name": "labels",
        "required": true,
        "is": "scalar",
        "of": "Labels"
      },
      {
        "name": "tenant",
        "is": "scalar",
        "of": "String"
      },
      {
        "name": "description",
        "is": "scalar",
        "of": "String"
      },
      {
        "name": "attributes",
        "required": true,
        "is": "scalar",
        "of": "JSON"
      },
      {
        "name": "externalRefs",
        "required": true,
        "list": true,
        "is": "value",
        "of": "ExternalRef"
      },
      {
        "name": "version",
        "required": true,
        "is": "scalar",
        "of": "Revision"
      },
      {
        "name": "createdAt",
        "required": true,
        "is": "scalar",
        "of": "DateTime"
      },
      {
        "name": "updatedAt",
        "required": true,
        "is": "scalar",
        "of": "DateTime"
      },
      {
        "name": "provider",
        "required": true,
        "is": "one",
        "of": "Provider"
      },
      {
        "name": "aEnd",
        "is": "one",
        "of": "CircuitTermination"
      },
      {
        "name": "zEnd",
        "is": "one",
        "of": "CircuitTermination"
      }
    ],
    "orders": [
      "KEY",
      "UPDATED_AT",
      "CREATED_AT",
      "NAME",
      "PATH",
      "CIRCUIT_ID",
      "BANDWIDTH_MBPS",
      "LATENCY_MS"
    ],
    "create": true,
    "change": true,
    "remove": true,
    "apply": true
  },
  "CircuitTermination": {
    "name": "CircuitTermination",
    "one": "circuitTermination",
    "list": "circuitTerminations",
    "fields": [
      {
        "name": "id",
        "required": true,
        "is": "scalar",
        "of": "ID"
      },
      {
        "name": "name",
        "required": true,
        "is": "scalar",
        "of": "String"
      },
      {
        "name": "side",
        "required": true,
        "is": "enum",
        "of": "CircuitSide"
      },
      {
        "name": "labels",
        "required": true,
        "is": "scalar",
        "of": "Labels"
      },
      {
        "name": "tenant",
        "is": "scalar",
        "of": "String"
      },
      {
        "name": "description",
        "is": "scalar",
        "of": "String"
      },
      {
        "name": "attributes",
        "required": true,
        "is": "scalar",
        "of": "JSON"
      },
      {
        "name": "externalRefs",
        "required": true,
        "list": true,
        "is": "value",
        "of": "ExternalRef"
      },
      {
        "name": "version",
        "required": true,
        "is": "scalar",
        "of": "Revision"
      },
      {
        "name": "createdAt",
        "required": true,
        "is": "scalar",
        "of": "DateTime"
      },
      {
        "name": "updatedAt",
        "required": true,
        "is": "scalar",
        "of": "DateTime"
      },
      {
        "name": "circuit",
        "required": true,
        "is": "one",
        "of": "Circuit"
      },
      {
        "name": "site",
        "is": "one",
        "of": "Site"
      },
      {
        "name": "providerNetwork",
        "is": "one",
        "of": "ProviderNetwork"
      },
      {
        "name": "port",
        "is": "one",
        "of": "Port"
      },
      {
        "name": "farEnds",
        "required": true,
        "list": true,
        "is": "union",
        "of": "Hop"
      },
      {
        "name": "farEndsTruncated",
        "required": true,
        "is": "scalar",
        "of": "Boolean"
      },
      {
        "name": "cable",
        "is": "one",
        "of": "Cable"
      },
      {
        "name": "peers",
        "required": true,
        "list": true,
        "is": "union",
        "of": "CableEnd"
      }
    ],
    "orders": [
      "KEY",
      "UPDATED_AT",
      "CREATED_AT",
      "NAME",
      "PATH"
    ],
    "create": true,
    "change": true,
    "remove": true,
    "apply": true
  },
  "Cluster": {
    "name": "Cluster",
    "one": "cluster",
    "list": "clusters",
    "fields": [
      {
        "name": "id",
        "required": true,
        "is": "scalar",
        "of": "ID"
      },
      {
        "name": "name",
        "required": true,
        "is": "scalar",
        "of": "String"
      },
      {
        "name": "displayName",
        "is": "scalar",
        "of": "String"
      },
      {
        "name": "type",
        "required": true,
        "is": "enum",
        "of": "ClusterType"
      },
      {
        "name": "role",
        "is": "enum",
        "of": "ClusterRole"
      },
      {
        "name": "platform",
        "is": "scalar",
        "of": "String"
      },
      {
        "name": "endpoint",
        "is": "scalar",
        "of": "URL"
      },
      {
        "name": "labels",
        "required": true,
        "is": "scalar",
        "of": "Labels"
      },
      {
        "name": "tenant",
        "is": "scalar",
        "of": "String"
      },
      {
        "name": "description",
        "is": "scalar",
        "of": "String"
      },
      {
        "name": "attributes",
        "required": true,
        "is": "scalar",
        "of": "JSON"
      },
      {
        "name": "externalRefs",
        "required": true,
        "list": true,
        "is": "value",
        "of": "ExternalRef"
      },
      {
        "name": "version",
        "required": true,
        "is": "scalar",
        "of": "Revision"
      },
      {
        "name": "createdAt",
        "required": true,
        "is": "scalar",
        "of": "DateTime"
      },
      {
        "name": "updatedAt",
        "required": true,
        "is": "scalar",
        "of": "DateTime"
      },
      {
        "name": "controlPlaneSite",
        "is": "one",
        "of": "Site"
      },
      {
        "name": "devices",
        "is": "many",
        "of": "Device"
      },
      {
        "name": "virtualMachines",
        "is": "many",
        "of": "VirtualMachine"
      },
      {
        "name": "hosts",
        "is": "many",
        "of": "Host"
      }
    ],
    "orders": [
      "KEY",
      "UPDATED_AT",
      "CREATED_AT",
      "NAME",
      "PATH",
      "DISPLAY_NAME",
      "PLATFORM"
    ],
    "create": true,
    "change": true,
    "remove": true,
    "apply": true
  },
  "VirtualMachine": {
    "name": "VirtualMachine",
    "one": "virtualMachine",
    "list": "virtualMachines",
    "fields": [
      {
        "name": "id",
        "required": true,
        "is": "scalar",
        "of": "ID"
      },
      {
        "name": "name",
        "required": true,
        "is": "scalar",
        "of": "String"
      },
      {
        "name": "projectRef",
        "is": "value",
        "of": "ObjectReference"
      },
      {
        "name": "allocation",
        "is": "value",
        "of": "Allocation"
      },
      {
        "name": "addresses",
        "required": true,
        "list": true,
        "is": "value",
        "of": "Address"
      },
      {
        "name": "status",
        "required": true,
        "is": "enum",
        "of": "Status"
      },
      {
        "name": "labels",
        "required": true,
        "is": "scalar",
        "of": "Labels"
      },
      {
        "name": "tenant",
        "is": "scalar",
        "of": "String"
      },
      {
        "name": "description",
        "is": "scalar",
        "of": "String"
      },
      {
        "name": "attributes",
        "required": true,
        "is": "scalar",
        "of": "JSON"
      },
      {
        "name": "externalRefs",
        "required": true,
        "list": true,
        "is": "value",
        "of": "ExternalRef"
      },
      {
        "name": "version",
        "required": true,
        "is": "scalar",
        "of": "Revision"
      },
      {
        "name": "createdAt",
        "required": true,
        "is": "scalar",
        "of": "DateTime"
      },
      {
        "name": "updatedAt",
        "required": true,
        "is": "scalar",
        "of": "DateTime"
      },
      {
        "name": "host",
        "is": "one",
        "of": "Device"
      },
      {
        "name": "cluster",
        "is": "one",
        "of": "Cluster"
      },
      {
        "name": "provider",
        "is": "one",
        "of": "Provider"
      },
      {
        "name": "ports",
        "is": "many",
        "of": "Port"
      },
      {
        "name": "hosts",
        "is": "many",
        "of": "Host"
      }
    ],
    "orders": [
      "KEY",
      "UPDATED_AT",
      "CREATED_AT",
      "NAME",
      "PATH"
    ],
    "create": true,
    "change": true,
    "remove": true,
    "apply": true
  },
  "Source": {
    "name": "Source",
    "one": "source",
    "list": "sources",
    "fields": [
      {
        "name": "id",
        "required": true,
        "is": "scalar",
        "of": "ID"
      },
      {
        "name": "name",
        "required": true,
        "is": "scalar",
        "of": "String"
      },
      {
        "name": "type",
        "required": true,
        "is": "scalar",
        "of": "String"
      },
      {
        "name": "url",
        "is": "scalar",
        "of": "String"
      },
      {
        "name": "interval",
        "required": true,
        "is": "scalar",
        "of": "Int"
      },
      {
        "name": "prune",
        "required": true,
        "is": "enum",
        "of": "SourcePrune"
      },
      {
        "name": "limits",
        "required": true,
        "is": "value",
        "of": "SourceLimits"
      },
      {
        "name": "paused",
        "required": true,
        "is": "scalar",
        "of": "Boolean"
      },
      {
        "name": "health",
        "required": true,
        "is": "enum",
        "of": "SourceHealth"
      },
      {
        "name": "reserved",
        "required": true,
        "is": "scalar",
        "of": "Boolean"
      },
      {
        "name": "hostsArrive",
        "required": true,
        "is": "enum",
        "of": "SourceHostsArrive"
      },
      {
        "name": "labels",
        "required": true,
        "is": "scalar",
        "of": "Labels"
      },
      {
        "name": "tenant",
        "is": "scalar",
        "of": "String"
      },
      {
        "name": "description",
        "is": "scalar",
        "of": "String"
      },
      {
        "name": "attributes",
        "required": true,
        "is": "scalar",
        "of": "JSON"
      },
      {
        "name": "externalRefs",
        "required": true,
        "list": true,
        "is": "value",
        "of": "ExternalRef"
      },
      {
        "name": "version",
        "required": true,
        "is": "scalar",
        "of": "Revision"
      },
      {
        "name": "createdAt",
        "required": true,
        "is": "scalar",
        "of": "DateTime"
      },
      {
        "name": "updatedAt",
        "required": true,
        "is": "scalar",
        "of": "DateTime"
      },
      {
        "name": "lastRun",
        "is": "value",
        "of": "SourceRun"
      },
      {
        "name": "heldCount",
        "required": true,
        "is": "scalar",
        "of": "Int"
      },
      {
        "name": "lastSuccessAt",
        "is": "scalar",
        "of": "DateTime"
      },
      {
        "name": "suspectCount",
        "required": true,
        "is": "scalar",
        "of": "Int"
      }
    ],
    "orders": [
      "KEY",
      "UPDATED_AT",
      "CREATED_AT",
      "NAME",
      "PATH",
      "TYPE"
    ],
    "create": true,
    "change": true,
    "remove": true,
    "apply": true
  },
  "HostClass": {
    "name": "HostClass",
    "one": "hostClass",
    "list": "hostClasses",
    "fields": [
      {
        "name": "id",
        "required": true,
        "is": "scalar",
        "of": "ID"
      },
      {
        "name": "name",
        "required": true,
        "is": "scalar",
        "of": "String"
      },
      {
        "name": "title",
        "is": "scalar",
        "of": "String"
      },
      {
        "name": "match",
        "is": "value",
        "of": "HostMatch"
      },
      {
        "name": "labels",
        "required": true,
        "is": "scalar",
        "of": "Labels"
      },
      {
        "name": "tenant",
        "is": "scalar",
        "of": "String"
      },
      {
        "name": "description",
        "is": "scalar",
        "of": "String"
      },
      {
        "name": "attributes",
        "required": true,
        "is": "scalar",
        "of": "JSON"
      },
      {
        "name": "externalRefs",
        "required": true,
        "list": true,
        "is": "value",
        "of": "ExternalRef"
      },
      {
        "name": "version",
        "required": true,
        "is": "scalar",
        "of": "Revision"
      },
      {
        "name": "createdAt",
        "required": true,
        "is": "scalar",
        "of": "DateTime"
      },
      {
        "name": "updatedAt",
        "required": true,
        "is": "scalar",
        "of": "DateTime"
      },
      {
        "name": "hosts",
        "is": "many",
        "of": "Host"
      },
      {
        "name": "total",
        "required": true,
        "is": "scalar",
        "of": "Int"
      },
      {
        "name": "available",
        "required": true,
        "is": "scalar",
        "of": "Int"
      },
      {
        "name": "acquired",
        "required": true,
        "is": "scalar",
        "of": "Int"
      },
      {
        "name": "failed",
        "required": true,
        "is": "scalar",
        "of": "Int"
      }
    ],
    "orders": [
      "KEY",
      "UPDATED_AT",
      "CREATED_AT",
      "NAME",
      "PATH",
      "TITLE"
    ],
    "create": true,
    "change": true,
    "remove": true,
    "apply": true
  },
  "Credential": {
    "name": "Credential",
    "one": "credential",
    "list": "credentials",
    "fields": [
      {
        "name": "id",
        "required": true,
        "is": "scalar",
        "of": "ID"
      },
      {
        "name": "name",
        "required": true,
        "is": "scalar",
        "of": "String"
      },
      {
        "name": "type",
        "required": true,
        "is": "enum",
        "of": "CredentialType"
      },
      {
        "name": "username",
        "is": "scalar",
        "of": "String"
      },
      {
        "name": "allowedHosts",
        "required": true,
        "list": true,
        "is": "scalar",
        "of": "String"
      },
      {
        "name": "sources",
        "required": true,
        "list": true,
        "is": "scalar",
        "of": "String"
      },
      {
        "name": "labels",
        "required": true,
        "is": "scalar",
        "of": "Labels"
      },
      {
        "name": "tenant",
        "is": "scalar",
        "of": "String"
      },
      {
        "name": "description",
        "is": "scalar",
        "of": "String"
      },
      {
        "name": "attributes",
        "required": true,
        "is": "scalar",
        "of": "JSON"
      },
      {
        "name": "externalRefs",
        "required": true,
        "list": true,
        "is": "value",
        "of": "ExternalRef"
      },
      {
        "name": "version",
        "required": true,
        "is": "scalar",
        "of": "Revision"
      },
      {
        "name": "createdAt",
        "required": true,
        "is": "scalar",
        "of": "DateTime"
      },
      {
        "name": "updatedAt",
        "required": true,
        "is": "scalar",
        "of": "DateTime"
      },
      {
        "name": "appliances",
        "is": "many",
        "of": "Appliance"
      },
      {
        "name": "hosts",
        "is": "many",
        "of": "Host"
      },
      {
        "name": "secretState",
        "required": true,
        "is": "enum",
        "of": "SecretState"
      },
      {
        "name": "secrets",
        "required": true,
        "list": true,
        "is": "value",
        "of": "CredentialSecret"
      },
      {
        "name": "secretReads",
        "required": true,
        "list": true,
        "is": "value",
        "of": "SecretReadCount"
      }
    ],
    "orders": [
      "KEY",
      "UPDATED_AT",
      "CREATED_AT",
      "NAME",
      "PATH",
      "TYPE"
    ],
    "create": true,
    "change": true,
    "remove": true,
    "apply": true
  },
  "Profile": {
    "name": "Profile",
    "one": "profile",
    "list": "profiles",
    "fields": [
      {
        "name": "id",
        "required": true,
        "is": "scalar",
        "of": "ID"
      },
      {
        "name": "name",
        "required": true,
        "is": "scalar",
        "of": "String"
      },
      {
        "name": "purpose",
        "required": true,
        "is": "enum",
        "of": "ProfilePurpose"
      },
      {
        "name": "method",
        "is": "enum",
        "of": "ProfileMethod"
      },
      {
        "name": "kernel",
        "is": "scalar",
        "of": "URL"
      },
      {
        "name": "initrd",
        "is": "scalar",
        "of": "URL"
      },
      {
        "name": "repository",
        "is": "scalar",
        "of": "URL"
      },
      {
        "name": "image",
        "is": "value",
        "of": "ProfileImage"
      },
      {
        "name": "arguments",
        "required": true,
        "list": true,
        "is": "scalar",
        "of": "String"
      },
      {
        "name": "debug",
        "required": true,
        "is": "scalar",
        "of": "Boolean"
      },
      {
        "name": "labels",
        "required": true,
        "is": "scalar",
        "of": "Labels"
      },
      {
        "name": "tenant",
        "is": "scalar",
        "of": "String"
      },
      {
        "name": "description",
        "is": "scalar",
        "of": "String"
      },
      {
        "name": "attributes",
        "required": true,
        "is": "scalar",
        "of": "JSON"
      },
      {
        "name": "externalRefs",
        "required": true,
        "list": true,
        "is": "value",
        "of": "ExternalRef"
      },
      {
        "name": "version",
        "required": true,
        "is": "scalar",
        "of": "Revision"
      },
      {
        "name": "createdAt",
        "required": true,
        "is": "scalar",
        "of": "DateTime"
      },
      {
        "name": "updatedAt",
        "required": true,
        "is": "scalar",
        "of": "DateTime"
      },
      {
        "name": "hosts",
        "is": "many",
        "of": "Host"
      }
    ],
    "orders": [
      "KEY",
      "UPDATED_AT",
      "CREATED_AT",
      "NAME",
      "PATH",
      "PURPOSE"
    ],
    "create": true,
    "change": true,
    "remove": true,
    "apply": true
  },
  "Appliance": {
    "name": "Appliance",
    "one": "appliance",
    "list": "appliances",
    "fields": [
      {
        "name": "id",
        "required": true,
        "is": "scalar",
        "of": "ID"
      },
      {
        "name": "name",
        "required": true,
        "is": "scalar",
        "of": "String"
      },
      {
        "name": "type",
        "required": true,
        "is": "enum",
        "of": "ApplianceType"
      },
      {
        "name": "url",
        "is": "scalar",
        "of": "String"
      },
      {
        "name": "namePattern",
        "is": "scalar",
        "of": "String"
      },
      {
        "name": "prefix",
        "is": "scalar",
        "of": "String"
      },
      {
        "name": "interval",
        "required": true,
        "is": "scalar",
        "of": "Int"
      },
      {
        "name": "labels",
        "required": true,
        "is": "scalar",
        "of": "Labels"
      },
      {
        "name": "tenant",
        "is": "scalar",
        "of": "String"
      },
      {
        "name": "description",
        "is": "scalar",
        "of": "String"
      },
      {
        "name": "attributes",
        "required": true,
        "is": "scalar",
        "of": "JSON"
      },
      {
        "name": "externalRefs",
        "required": true,
        "list": true,
        "is": "value",
        "of": "ExternalRef"
      },
      {
        "name": "version",
        "required": true,
        "is": "scalar",
        "of": "Revision"
      },
      {
        "name": "createdAt",
        "required": true,
        "is": "scalar",
        "of": "DateTime"
      },
      {
        "name": "updatedAt",
        "required": true,
        "is": "scalar",
        "of": "DateTime"
      },
      {
        "name": "credential",
        "is": "one",
        "of": "Credential"
      },
      {
        "name": "site",
        "is": "one",
        "of": "Site"
      },
      {
        "name": "rack",
        "is": "one",
        "of": "Rack"
      },
      {
        "name": "hosts",
        "is": "many",
        "of": "Host"
      },
      {
        "name": "enlistment",
        "is": "value",
        "of": "Enlistment"
      }
    ],
    "orders": [
      "KEY",
      "UPDATED_AT",
      "CREATED_AT",
      "NAME",
      "PATH",
      "TYPE",
      "URL"
    ],
    "create": true,
    "change": true,
    "remove": true,
    "apply": true
  },
  "Host": {
    "name": "Host",
    "one": "host",
    "list": "hosts",
    "fields": [
      {
        "name": "id",
        "required": true,
        "is": "scalar",
        "of": "ID"
      },
      {
        "name": "name",
        "required": true,
        "is": "scalar",
        "of": "String"
      },
      {
        "name": "shortId",
        "required": true,
        "is": "scalar",
        "of": "String"
      },
      {
        "name": "uid",
        "is": "scalar",
        "of": "String"
      },
      {
        "name": "serial",
        "is": "scalar",
        "of": "String"
      },
      {
        "name": "title",
        "is": "scalar",
        "of": "String"
      },
      {
        "name": "architecture",
        "is": "enum",
        "of": "CpuArchitecture"
      },
      {
        "name": "bmcUrl",
        "is": "scalar",
        "of": "String"
      },
      {
        "name": "bmcInsecure",
        "required": true,
        "is": "scalar",
        "of": "Boolean"
      },
      {
        "name": "bmcTrustedCas",
        "is": "scalar",
        "of": "String"
      },
      {
        "name": "bootMac",
        "is": "scalar",
        "of": "MAC"
      },
      {
        "name": "bootIp",
        "is": "scalar",
        "of": "String"
      },
      {
        "name": "bootMode",
        "is": "enum",
        "of": "HostBootMode"
      },
      {
        "name": "boot",
        "required": true,
        "is": "enum",
        "of": "HostBoot"
      },
      {
        "name": "rootDevice",
        "is": "value",
        "of": "RootDevice"
      },
      {
        "name": "provisioner",
        "is": "scalar",
        "of": "String"
      },
      {
        "name": "maintenance",
        "required": true,
        "is": "scalar",
        "of": "TextMap"
      },
      {
        "name": "acquiredFor",
        "is": "scalar",
        "of": "String"
      },
      {
        "name": "deleting",
        "required": true,
        "is": "scalar",
        "of": "Boolean"
      },
      {
        "name": "generation",
        "required": true,
        "is": "scalar",
        "of": "Long"
      },
      {
        "name": "state",
        "required": true,
        "is": "enum",
        "of": "HostState"
      },
      {
        "name": "power",
        "required": true,
        "is": "enum",
        "of": "HostPower"
      },
      {
        "name": "step",
        "is": "value",
        "of": "HostStep"
      },
      {
        "name": "generationDone",
        "required": true,
        "is": "scalar",
        "of": "Long"
      },
      {
        "name": "conditions",
        "required": true,
        "list": true,
        "is": "value",
        "of": "HostCondition"
      },
      {
        "name": "failure",
        "is": "value",
        "of": "HostFailure"
      },
      {
        "name": "wasInstalled",
        "required": true,
        "is": "scalar",
        "of": "Boolean"
      },
      {
        "name": "seenIdentity",
        "is": "value",
        "of": "HostSeenIdentity"
      },
      {
        "name": "lookAsked",
        "is": "value",
        "of": "HostLookAsked"
      },
      {
        "name": "hardware",
        "is": "value",
        "of": "Hardware"
      },
      {
        "name": "acknowledgedHardware",
        "is": "value",
        "of": "HostAcknowledgedHardware"
      },
      {
        "name": "hardwareAsked",
        "is": "value",
        "of": "HostHardwareAsked"
      },
      {
        "name": "labels",
        "required": true,
        "is": "scalar",
        "of": "Labels"
      },
      {
        "name": "tenant",
        "is": "scalar",
        "of": "String"
      },
      {
        "name": "description",
        "is": "scalar",
        "of": "String"
      },
      {
        "name": "attributes",
        "required": true,
        "is": "scalar",
        "of": "JSON"
      },
      {
        "name": "externalRefs",
        "required": true,
        "list": true,
        "is": "value",
        "of": "ExternalRef"
      },
      {
        "name": "version",
        "required": true,
        "is": "scalar",
        "of": "Revision"
      },
      {
        "name": "observedVersion",
        "required": true,
        "is": "scalar",
        "of": "Revision"
      },
      {
        "name": "createdAt",
        "required": true,
        "is": "scalar",
        "of": "DateTime"
      },
      {
        "name": "updatedAt",
        "required": true,
        "is": "scalar",
        "of": "DateTime"
      },
      {
        "name": "class",
        "is": "one",
        "of": "HostClass"
      },
      {
        "name": "appliance",
        "is": "one",
        "of": "Appliance"
      },
      {
        "name": "bmcCredential",
        "is": "one",
        "of": "Credential"
      },
      {
        "name": "cluster",
        "is": "one",
        "of": "Cluster"
      },
      {
        "name": "machine",
        "is": "union",
        "of": "HostMachine"
      },
      {
        "name": "site",
        "is": "one",
        "of": "Site"
      },
      {
        "name": "machineSuggestions",
        "required": true,
        "list": true,
        "is": "one",
        "of": "Device"
      },
      {
        "name": "observed",
        "is": "value",
        "of": "HostObserved"
      },
      {
        "name": "bootAttempt",
        "is": "value",
        "of": "HostBootAttempt"
      },
      {
        "name": "hardwareConditions",
        "required": true,
        "list": true,
        "is": "enum",
        "of": "HardwareCondition"
      },
      {
        "name": "missingHardware",
        "required": true,
        "list": true,
        "is": "value",
        "of": "MissingHardware"
      },
      {
        "name": "parts",
        "list": true,
        "is": "value",
        "of": "Part"
      },
      {
        "name": "cabling",
        "list": true,
        "is": "value",
        "of": "HostCabling"
      },
      {
        "name": "agentToken",
        "is": "value",
        "of": "HostAgentToken"
      },
      {
        "name": "wanted",
        "is": "value",
        "of": "HostWanted"
      },
      {
        "name": "lastOrder",
        "is": "value",
        "of": "HostLastOrder"
      }
    ],
    "orders": [
      "KEY",
      "UPDATED_AT",
      "CREATED_AT",
      "NAME",
      "PATH",
      "TITLE",
      "STATE",
      "POWER"
    ],
    "create": true,
    "change": true,
    "remove": true,
    "apply": true
  }
};
var VALUES = {
  "Coordinates": [
    {
      "name": "latitude",
      "required": true,
      "is": "scalar",
      "of": "Float"
    },
    {
      "name": "longitude",
      "required": true,
      "is": "scalar",
      "of": "Float"
    }
  ],
  "ExternalRef": [
    {
      "name": "source",
      "required": true,
      "is": "scalar",
      "of": "String"
    },
    {
      "name": "externalId",
      "required": true,
      "is": "scalar",
      "of": "String"
    },
    {
      "name": "url",
      "is": "scalar",
      "of": "URL"
    }
  ],
  "RackPosition": [
    {
      "name": "x",
      "required": true,
      "is": "scalar",
      "of": "Float"
    },
    {
      "name": "y",
      "required": true,
      "is": "scalar",
      "of": "Float"
    },
    {
      "name": "turn",
      "required": true,
      "is": "scalar",
      "of": "Float"
    }
  ],
  "RackPowerDraw": [
    {
      "name": "maximum",
      "is": "scalar",
      "of": "Long"
    },
    {
      "name": "allocated",
      "is": "scalar",
      "of": "Long"
    },
    {
      "name": "unknown",
      "required": true,
      "is": "scalar",
      "of": "Int"
    }
  ],
  "Address": [
    {
      "name": "type",
      "required": true,
      "is": "enum",
      "of": "AddressType"
    },
    {
      "name": "address",
      "required": true,
      "is": "scalar",
      "of": "String"
    }
  ],
  "Hardware": [
    {
      "name": "cpuCores",
      "is": "scalar",
      "of": "Int"
    },
    {
      "name": "cpuArchitecture",
      "is": "enum",
      "of": "CpuArchitecture"
    },
    {
      "name": "memoryBytes",
      "is": "scalar",
      "of": "Long"
    },
    {
      "name": "disks",
      "required": true,
      "list": true,
      "is": "value",
      "of": "Disk"
    }
  ],
  "Disk": [
    {
      "name": "name",
      "required": true,
      "is": "scalar",
      "of": "String"
    },
    {
      "name": "sizeBytes",
      "required": true,
      "is": "scalar",
      "of": "Long"
    },
    {
      "name": "type",
      "required": true,
      "is": "enum",
      "of": "DiskType"
    }
  ],
  "Placement": [
    {
      "name": "rack",
      "required": true,
      "is": "one",
      "of": "Rack"
    },
    {
      "name": "startUnit",
      "is": "scalar",
      "of": "Float"
    },
    {
      "name": "unitHeight",
      "is": "scalar",
      "of": "Float"
    },
    {
      "name": "face",
      "required": true,
      "is": "enum",
      "of": "Face"
    },
    {
      "name": "fullDepth",
      "required": true,
      "is": "scalar",
      "of": "Boolean"
    }
  ],
  "PowerDraw": [
    {
      "name": "maximum",
      "is": "scalar",
      "of": "Int"
    },
    {
      "name": "allocated",
      "is": "scalar",
      "of": "Int"
    }
  ],
  "PassThrough": [
    {
      "name": "front",
      "required": true,
      "is": "one",
      "of": "Port"
    },
    {
      "name": "position",
      "required": true,
      "is": "scalar",
      "of": "Int"
    },
    {
      "name": "rear",
      "required": true,
      "is": "one",
      "of": "Port"
    },
    {
      "name": "rearPosition",
      "required": true,
      "is": "scalar",
      "of": "Int"
    }
  ],
  "Lane": [
    {
      "name": "aEnd",
      "required": true,
      "is": "scalar",
      "of": "Int"
    },
    {
      "name": "aPosition",
      "required": true,
      "is": "scalar",
      "of": "Int"
    },
    {
      "name": "bEnd",
      "required": true,
      "is": "scalar",
      "of": "Int"
    },
    {
      "name": "bPosition",
      "required": true,
      "is": "scalar",
      "of": "Int"
    }
  ],
  "Contract": [
    {
      "name": "contractId",
      "is": "scalar",
      "of": "String"
    },
    {
      "name": "accountId",
      "is": "scalar",
      "of": "String"
    },
    {
      "name": "portalUrl",
      "is": "scalar",
      "of": "URL"
    },
    {
      "name": "notes",
      "is": "scalar",
      "of": "String"
    }
  ],
  "ServiceIdentifier": [
    {
      "name": "name",
      "required": true,
      "is": "scalar",
      "of": "String"
    },
    {
      "name": "identifier",
      "required": true,
      "is": "scalar",
      "of": "String"
    }
  ],
  "ObjectReference": [
    {
      "name": "apiGroup",
      "required": true,
      "is": "scalar",
      "of": "String"
    },
    {
      "name": "kind",
      "required": true,
      "is": "scalar",
      "of": "String"
    },
    {
      "name": "name",
      "required": true,
      "is": "scalar",
      "of": "String"
    },
    {
      "name": "namespace",
      "is": "scalar",
      "of": "String"
    }
  ],
  "Allocation": [
    {
      "name": "vcpus",
      "is": "scalar",
      "of": "Int"
    },
    {
      "name": "memoryBytes",
      "is": "scalar",
      "of": "Long"
    },
    {
      "name": "disks",
      "required": true,
      "list": true,
      "is": "value",
      "of": "Disk"
    }
  ],
  "SourceLimits": [
    {
      "name": "share",
      "required": true,
      "is": "scalar",
      "of": "Float"
    },
    {
      "name": "count",
      "required": true,
      "is": "scalar",
      "of": "Int"
    }
  ],
  "SourceRun": [
    {
      "name": "id",
      "required": true,
      "is": "scalar",
      "of": "ID"
    },
    {
      "name": "mode",
      "required": true,
      "is": "enum",
      "of": "RunMode"
    },
    {
      "name": "state",
      "required": true,
      "is": "enum",
      "of": "RunState"
    },
    {
      "name": "startedAt",
      "required": true,
      "is": "scalar",
      "of": "DateTime"
    },
    {
      "name": "heartbeatAt",
      "required": true,
      "is": "scalar",
      "of": "DateTime"
    },
    {
      "name": "finishedAt",
      "is": "scalar",
      "of": "DateTime"
    },
    {
      "name": "seen",
      "required": true,
      "is": "scalar",
      "of": "Int"
    },
    {
      "name": "created",
      "required": true,
      "is": "scalar",
      "of": "Int"
    },
    {
      "name": "updated",
      "required": true,
      "is": "scalar",
      "of": "Int"
    },
    {
      "name": "unchanged",
      "required": true,
      "is": "scalar",
      "of": "Int"
    },
    {
      "name": "retired",
      "required": true,
      "is": "scalar",
      "of": "Int"
    },
    {
      "name": "deleted",
      "required": true,
      "is": "scalar",
      "of": "Int"
    },
    {
      "name": "released",
      "required": true,
      "is": "scalar",
      "of": "Int"
    },
    {
      "name": "failed",
      "required": true,
      "is": "scalar",
      "of": "Int"
    },
    {
      "name": "skippedFields",
      "required": true,
      "is": "scalar",
      "of": "Int"
    },
    {
      "name": "read",
      "required": true,
      "is": "scalar",
      "of": "Int"
    },
    {
      "name": "putAside",
      "required": true,
      "is": "scalar",
      "of": "Int"
    },
    {
      "name": "leftOut",
      "required": true,
      "is": "scalar",
      "of": "Int"
    },
    {
      "name": "renumbered",
      "required": true,
      "is": "scalar",
      "of": "Boolean"
    },
    {
      "name": "errors",
      "required": true,
      "list": true,
      "is": "value",
      "of": "SourceRunError"
    },
    {
      "name": "firstRevision",
      "is": "scalar",
      "of": "Revision"
    },
    {
      "name": "lastRevision",
      "is": "scalar",
      "of": "Revision"
    },
    {
      "name": "cursor",
      "is": "scalar",
      "of": "String"
    },
    {
      "name": "source",
      "is": "one",
      "of": "Source"
    },
    {
      "name": "heldCount",
      "required": true,
      "is": "scalar",
      "of": "Int"
    }
  ],
  "SourceRunError": [
    {
      "name": "externalId",
      "is": "scalar",
      "of": "String"
    },
    {
      "name": "code",
      "required": true,
      "is": "scalar",
      "of": "String"
    },
    {
      "name": "message",
      "required": true,
      "is": "scalar",
      "of": "String"
    }
  ],
  "HostMatch": [
    {
      "name": "cpuCores",
      "is": "scalar",
      "of": "Int"
    },
    {
      "name": "memoryBytes",
      "is": "scalar",
      "of": "Long"
    },
    {
      "name": "disks",
      "required": true,
      "list": true,
      "is": "value",
      "of": "DiskMatch"
    },
    {
      "name": "labels",
      "is": "scalar",
      "of": "TextMap"
    }
  ],
  "DiskMatch": [
    {
      "name": "count",
      "required": true,
      "is": "scalar",
      "of": "Int"
    },
    {
      "name": "sizeBytes",
      "is": "scalar",
      "of": "Long"
    },
    {
      "name": "type",
      "is": "enum",
      "of": "DiskType"
    }
  ],
  "CredentialSecret": [
    {
      "name": "field",
      "required": true,
      "is": "scalar",
      "of": "String"
    },
    {
      "name": "state",
      "required": true,
      "is": "enum",
      "of": "SecretState"
    },
    {
      "name": "setAt",
      "is": "scalar",
      "of": "DateTime"
    },
    {
      "name": "setBy",
      "is": "scalar",
      "of": "String"
    }
  ],
  "SecretReadCount": [
    {
      "name": "reader",
      "required": true,
      "is": "scalar",
      "of": "String"
    },
    {
      "name": "hour",
      "required": true,
      "is": "scalar",
      "of": "DateTime"
    },
    {
      "name": "reads",
      "required": true,
      "is": "scalar",
      "of": "Long"
    }
  ],
  "ProfileImage": [
    {
      "name": "url",
      "required": true,
      "is": "scalar",
      "of": "URL"
    },
    {
      "name": "checksum",
      "required": true,
      "is": "scalar",
      "of": "String"
    },
    {
      "name": "format",
      "required": true,
      "is": "enum",
      "of": "ImageFormat"
    }
  ],
  "Enlistment": [
    {
      "name": "number",
      "required": true,
      "is": "scalar",
      "of": "Long"
    },
    {
      "name": "pattern",
      "is": "scalar",
      "of": "String"
    },
    {
      "name": "discover",
      "required": true,
      "is": "scalar",
      "of": "Boolean"
    },
    {
      "name": "adopt",
      "required": true,
      "is": "scalar",
      "of": "Boolean"
    },
    {
      "name": "force",
      "required": true,
      "is": "scalar",
      "of": "Boolean"
    },
    {
      "name": "provisioner",
      "is": "scalar",
      "of": "String"
    },
    {
      "name": "by",
      "required": true,
      "is": "scalar",
      "of": "String"
    },
    {
      "name": "at",
      "required": true,
      "is": "scalar",
      "of": "DateTime"
    },
    {
      "name": "doneAt",
      "is": "scalar",
      "of": "DateTime"
    },
    {
      "name": "found",
      "is": "scalar",
      "of": "Int"
    },
    {
      "name": "enlisted",
      "is": "scalar",
      "of": "Int"
    },
    {
      "name": "changed",
      "is": "scalar",
      "of": "Int"
    },
    {
      "name": "message",
      "is": "scalar",
      "of": "String"
    },
    {
      "name": "machines",
      "list": true,
      "is": "value",
      "of": "EnlistedMachine"
    }
  ],
  "EnlistedMachine": [
    {
      "name": "name",
      "required": true,
      "is": "scalar",
      "of": "String"
    },
    {
      "name": "host",
      "is": "scalar",
      "of": "String"
    },
    {
      "name": "outcome",
      "required": true,
      "is": "enum",
      "of": "EnlistOutcome"
    },
    {
      "name": "reason",
      "is": "scalar",
      "of": "String"
    }
  ],
  "RootDevice": [
    {
      "name": "wwn",
      "is": "scalar",
      "of": "String"
    },
    {
      "name": "serial",
      "is": "scalar",
      "of": "String"
    },
    {
      "name": "name",
      "is": "scalar",
      "of": "String"
    },
    {
      "name": "minSizeBytes",
      "is": "scalar",
      "of": "Long"
    },
    {
      "name": "rotational",
      "is": "scalar",
      "of": "Boolean"
    }
  ],
  "HostStep": [
    {
      "name": "attempt",
      "required": true,
      "is": "scalar",
      "of": "Int"
    },
    {
      "name": "name",
      "required": true,
      "is": "scalar",
      "of": "String"
    },
    {
      "name": "of",
      "required": true,
      "is": "scalar",
      "of": "Long"
    },
    {
      "name": "since",
      "required": true,
      "is": "scalar",
      "of": "DateTime"
    }
  ],
  "HostCondition": [
    {
      "name": "type",
      "required": true,
      "is": "scalar",
      "of": "String"
    },
    {
      "name": "status",
      "required": true,
      "is": "enum",
      "of": "ConditionStatus"
    },
    {
      "name": "reason",
      "required": true,
      "is": "scalar",
      "of": "String"
    },
    {
      "name": "message",
      "is": "scalar",
      "of": "String"
    },
    {
      "name": "messageForTenants",
      "is": "scalar",
      "of": "String"
    }
  ],
  "HostFailure": [
    {
      "name": "during",
      "required": true,
      "is": "enum",
      "of": "HostState"
    },
    {
      "name": "reason",
      "required": true,
      "is": "scalar",
      "of": "String"
    },
    {
      "name": "message",
      "required": true,
      "is": "scalar",
      "of": "String"
    },
    {
      "name": "step",
      "is": "scalar",
      "of": "String"
    },
    {
      "name": "before",
      "is": "enum",
      "of": "HostState"
    },
    {
      "name": "erased",
      "required": true,
      "is": "scalar",
      "of": "Boolean"
    },
    {
      "name": "armed",
      "required": true,
      "is": "scalar",
      "of": "Boolean"
    }
  ],
  "HostSeenIdentity": [
    {
      "name": "uuid",
      "is": "scalar",
      "of": "String"
    },
    {
      "name": "serial",
      "is": "scalar",
      "of": "String"
    },
    {
      "name": "macs",
      "required": true,
      "list": true,
      "is": "scalar",
      "of": "String"
    },
    {
      "name": "at",
      "required": true,
      "is": "scalar",
      "of": "DateTime"
    }
  ],
  "HostLookAsked": [
    {
      "name": "at",
      "required": true,
      "is": "scalar",
      "of": "DateTime"
    }
  ],
  "HostAcknowledgedHardware": [
    {
      "name": "amounts",
      "required": true,
      "list": true,
      "is": "value",
      "of": "HardwareAmount"
    },
    {
      "name": "at",
      "required": true,
      "is": "scalar",
      "of": "DateTime"
    },
    {
      "name": "by",
      "required": true,
      "is": "scalar",
      "of": "String"
    }
  ],
  "HardwareAmount": [
    {
      "name": "measure",
      "required": true,
      "is": "enum",
      "of": "HardwareMeasure"
    },
    {
      "name": "amount",
      "required": true,
      "is": "scalar",
      "of": "Long"
    }
  ],
  "HostHardwareAsked": [
    {
      "name": "at",
      "required": true,
      "is": "scalar",
      "of": "DateTime"
    },
    {
      "name": "by",
      "required": true,
      "is": "scalar",
      "of": "String"
    }
  ],
  "HostObserved": [
    {
      "name": "seenAt",
      "required": true,
      "is": "scalar",
      "of": "DateTime"
    },
    {
      "name": "by",
      "required": true,
      "is": "scalar",
      "of": "String"
    },
    {
      "name": "powerAt",
      "is": "scalar",
      "of": "DateTime"
    },
    {
      "name": "detail",
      "is": "scalar",
      "of": "JSON"
    }
  ],
  "HostBootAttempt": [
    {
      "name": "order",
      "required": true,
      "is": "scalar",
      "of": "ID"
    },
    {
      "name": "purpose",
      "is": "enum",
      "of": "BootPurpose"
    },
    {
      "name": "state",
      "is": "enum",
      "of": "BootAttemptState"
    },
    {
      "name": "openedAt",
      "required": true,
      "is": "scalar",
      "of": "DateTime"
    },
    {
      "name": "until",
      "required": true,
      "is": "scalar",
      "of": "DateTime"
    },
    {
      "name": "boots",
      "required": true,
      "is": "scalar",
      "of": "Int"
    },
    {
      "name": "bootedAt",
      "is": "scalar",
      "of": "DateTime"
    },
    {
      "name": "loadedAt",
      "is": "scalar",
      "of": "DateTime"
    },
    {
      "name": "textAt",
      "is": "scalar",
      "of": "DateTime"
    },
    {
      "name": "rebootedAt",
      "is": "scalar",
      "of": "DateTime"
    },
    {
      "name": "heardAt",
      "is": "scalar",
      "of": "DateTime"
    },
    {
      "name": "stage",
      "is": "scalar",
      "of": "String"
    },
    {
      "name": "percent",
      "is": "scalar",
      "of": "Int"
    },
    {
      "name": "message",
      "is": "scalar",
      "of": "String"
    }
  ],
  "MissingHardware": [
    {
      "name": "measure",
      "required": true,
      "is": "enum",
      "of": "HardwareMeasure"
    },
    {
      "name": "expected",
      "required": true,
      "is": "scalar",
      "of": "Long"
    },
    {
      "name": "found",
      "required": true,
      "is": "scalar",
      "of": "Long"
    },
    {
      "name": "demand",
      "required": true,
      "is": "enum",
      "of": "HardwareDemand"
    }
  ],
  "Part": [
    {
      "name": "kind",
      "required": true,
      "is": "enum",
      "of": "HardwarePart"
    },
    {
      "name": "manufacturer",
      "is": "scalar",
      "of": "String"
    },
    {
      "name": "model",
      "is": "scalar",
      "of": "String"
    },
    {
      "name": "serial",
      "required": true,
      "is": "scalar",
      "of": "String"
    },
    {
      "name": "host",
      "is": "one",
      "of": "Host"
    },
    {
      "name": "place",
      "is": "scalar",
      "of": "String"
    },
    {
      "name": "since",
      "is": "scalar",
      "of": "DateTime"
    },
    {
      "name": "ambiguous",
      "required": true,
      "is": "scalar",
      "of": "Boolean"
    },
    {
      "name": "stays",
      "required": true,
      "list": true,
      "is": "value",
      "of": "PartStay"
    }
  ],
  "PartStay": [
    {
      "name": "host",
      "is": "one",
      "of": "Host"
    },
    {
      "name": "place",
      "required": true,
      "is": "scalar",
      "of": "String"
    },
    {
      "name": "from",
      "required": true,
      "is": "scalar",
      "of": "DateTime"
    },
    {
      "name": "until",
      "is": "scalar",
      "of": "DateTime"
    }
  ],
  "HostCabling": [
    {
      "name": "interface",
      "required": true,
      "is": "scalar",
      "of": "String"
    },
    {
      "name": "port",
      "is": "one",
      "of": "Port"
    },
    {
      "name": "recorded",
      "required": true,
      "list": true,
      "is": "one",
      "of": "Port"
    },
    {
      "name": "heard",
      "required": true,
      "list": true,
      "is": "value",
      "of": "HeardNeighbour"
    },
    {
      "name": "verdict",
      "required": true,
      "is": "enum",
      "of": "CablingVerdict"
    }
  ],
  "HeardNeighbour": [
    {
      "name": "neighbour",
      "required": true,
      "is": "value",
      "of": "FactsNeighbour"
    },
    {
      "name": "port",
      "is": "one",
      "of": "Port"
    },
    {
      "name": "device",
      "is": "one",
      "of": "Device"
    }
  ],
  "FactsNeighbour": [
    {
      "name": "interface",
      "required": true,
      "is": "scalar",
      "of": "String"
    },
    {
      "name": "permanentMac",
      "is": "scalar",
      "of": "String"
    },
    {
      "name": "chassisId",
      "required": true,
      "is": "scalar",
      "of": "String"
    },
    {
      "name": "chassisIdSubtype",
      "is": "enum",
      "of": "FactsNeighbourIdSubtype"
    },
    {
      "name": "portId",
      "required": true,
      "is": "scalar",
      "of": "String"
    },
    {
      "name": "portIdSubtype",
      "is": "enum",
      "of": "FactsNeighbourIdSubtype"
    },
    {
      "name": "portDescription",
      "is": "scalar",
      "of": "String"
    },
    {
      "name": "systemName",
      "is": "scalar",
      "of": "String"
    },
    {
      "name": "systemDescription",
      "is": "scalar",
      "of": "String"
    },
    {
      "name": "managementAddresses",
      "required": true,
      "list": true,
      "is": "scalar",
      "of": "String"
    },
    {
      "name": "capabilities",
      "required": true,
      "list": true,
      "is": "enum",
      "of": "FactsNeighbourCapability"
    }
  ],
  "HostAgentToken": [
    {
      "name": "issuedAt",
      "required": true,
      "is": "scalar",
      "of": "DateTime"
    },
    {
      "name": "issuedTo",
      "required": true,
      "is": "scalar",
      "of": "String"
    },
    {
      "name": "revokedAt",
      "is": "scalar",
      "of": "DateTime"
    }
  ],
  "HostWanted": [
    {
      "name": "id",
      "is": "scalar",
      "of": "ID"
    },
    {
      "name": "act",
      "required": true,
      "is": "enum",
      "of": "HostAct"
    },
    {
      "name": "profile",
      "is": "one",
      "of": "Profile"
    },
    {
      "name": "variables",
      "required": true,
      "is": "scalar",
      "of": "TextMap"
    },
    {
      "name": "force",
      "required": true,
      "is": "scalar",
      "of": "Boolean"
    },
    {
      "name": "until",
      "is": "scalar",
      "of": "DateTime"
    },
    {
      "name": "coversRunning",
      "required": true,
      "is": "scalar",
      "of": "Boolean"
    },
    {
      "name": "alone",
      "required": true,
      "is": "scalar",
      "of": "Boolean"
    },
    {
      "name": "adopt",
      "required": true,
      "is": "scalar",
      "of": "Boolean"
    },
    {
      "name": "givenIn",
      "is": "enum",
      "of": "HostState"
    },
    {
      "name": "stop",
      "is": "enum",
      "of": "HostOrderOutcome"
    }
  ],
  "HostLastOrder": [
    {
      "name": "id",
      "is": "scalar",
      "of": "ID"
    },
    {
      "name": "number",
      "required": true,
      "is": "scalar",
      "of": "Long"
    },
    {
      "name": "act",
      "required": true,
      "is": "enum",
      "of": "HostAct"
    },
    {
      "name": "outcome",
      "required": true,
      "is": "enum",
      "of": "HostOrderOutcome"
    },
    {
      "name": "reason",
      "is": "scalar",
      "of": "String"
    },
    {
      "name": "message",
      "is": "scalar",
      "of": "String"
    },
    {
      "name": "at",
      "required": true,
      "is": "scalar",
      "of": "DateTime"
    }
  ]
};
var ENUMS = {
  AddressType: ["INTERNAL", "EXTERNAL", "HOSTNAME", "MANAGEMENT"],
  ApplianceType: ["REDFISH", "LIBVIRT", "IPMI", "SIMULATED", "EXEC", "MANUAL"],
  BootAttemptState: ["OPEN", "DONE", "FAILED", "CLOSED"],
  BootPurpose: ["DISCOVER", "INSTALL", "WIPE"],
  CableStatus: ["PLANNED", "CONNECTED", "DECOMMISSIONING"],
  CablingVerdict: ["AGREES", "DIFFERS", "NOT_RECORDED", "UNKNOWN_NEIGHBOUR", "NOT_HEARD", "NO_PORT"],
  CircuitSide: ["A", "Z"],
  CircuitType: ["CROSS_CONNECT", "PROVIDER_CIRCUIT", "TRANSIT", "PEERING"],
  ClusterRole: ["COMPUTE", "MANAGEMENT", "EDGE", "GATEWAY"],
  ClusterType: ["KUBERNETES", "HYPERVISOR"],
  ConditionStatus: ["TRUE", "FALSE", "UNKNOWN"],
  CpuArchitecture: ["AMD64", "ARM64", "OTHER"],
  CredentialType: ["BASIC", "TOKEN", "TLS", "SSH_KEY", "PULL_SECRET", "KUBECONFIG", "TSIG"],
  DeviceRole: ["SERVER", "SPINE", "LEAF", "BORDER_ROUTER", "ROUTER", "SWITCH", "FIREWALL", "LOAD_BALANCER", "CONSOLE_SERVER", "PDU", "UPS", "PATCH_PANEL", "CHASSIS", "STORAGE", "OTHER"],
  DiskType: ["SSD", "HDD", "NVME"],
  EnlistOutcome: ["CREATED", "ADDRESS_CHANGED", "UNCHANGED", "KEPT", "REFUSED"],
  Face: ["FRONT", "REAR"],
  FactsNeighbourCapability: ["OTHER", "REPEATER", "BRIDGE", "WLAN_ACCESS_POINT", "ROUTER", "TELEPHONE", "DOCSIS_CABLE_DEVICE", "STATION_ONLY", "C_VLAN", "S_VLAN", "TWO_PORT_MAC_RELAY"],
  FactsNeighbourIdSubtype: ["CHASSIS_COMPONENT", "INTERFACE_ALIAS", "PORT_COMPONENT", "MAC_ADDRESS", "NETWORK_ADDRESS", "INTERFACE_NAME", "AGENT_CIRCUIT_ID", "LOCAL"],
  HardwareChange: ["ADDED", "REMOVED", "REPLACED", "CHANGED", "FAILING", "LINK_DOWN", "LINK_UP", "NOISY", "MOVED"],
  HardwareCondition: ["FACTS_STALE", "DISK_FAILING", "MEMORY_ERRORS", "HARDWARE_MISSING", "CABLING_MISMATCH", "LINK_DOWN", "GPU_LOST"],
  HardwareDemand: ["CLASS", "ACKNOWLEDGED"],
  HardwareMeasure: ["PROCESSORS", "CORES", "THREADS", "MEMORY_MODULES", "MEMORY_BYTES", "DISKS", "DISK_BYTES", "GPUS", "INTERFACES", "DEVICES"],
  HardwarePart: ["SYSTEM", "MEMORY", "PROCESSOR", "DISK", "INTERFACE", "DEVICE", "GPU", "NEIGHBOUR", "FIRMWARE", "POWER_SUPPLY", "FAN"],
  HostAct: ["INSTALL", "RELEASE", "WIPE", "DISCOVER", "POWER_ON", "POWER_OFF", "POWER_CYCLE", "BOOT_LOCAL", "BOOT_NETWORK"],
  HostAdoption: ["AVAILABLE", "INSTALLED"],
  HostBoot: ["LOCAL", "NETWORK"],
  HostBootMode: ["UEFI", "UEFI_SECURE", "BIOS"],
  HostOrderOutcome: ["DONE", "FAILED", "REFUSED", "EXPIRED", "CANCELLED"],
  HostPower: ["ON", "OFF", "UNKNOWN"],
  HostState: ["REGISTERED", "DISCOVERING", "AVAILABLE", "ACQUIRED", "INSTALLING", "INSTALLED", "RELEASING", "WIPING", "FAILED"],
  ImageFormat: ["RAW", "QCOW2"],
  LinkType: ["PHYSICAL", "LOGICAL", "INTERNET"],
  LocationType: ["BUILDING", "FLOOR", "ROOM", "CAGE", "ROW"],
  Media: ["COPPER", "FIBER_SMF", "FIBER_MMF", "DAC", "AOC", "POWER"],
  Phase: ["SINGLE_PHASE", "THREE_PHASE"],
  Plane: ["DATA", "MANAGEMENT"],
  PortFamily: ["DATA", "SERIAL", "INLET", "OUTLET", "FRONT", "REAR"],
  PortType: ["ETHERNET", "OPTICAL", "WIRELESS", "LAG", "VIRTUAL", "SERIAL", "POWER_INLET", "POWER_OUTLET", "PATCH_FRONT", "PATCH_REAR"],
  ProfileMethod: ["KICKSTART_RPM", "KICKSTART_OSTREE", "KICKSTART_IMAGE", "DISK_IMAGE"],
  ProfilePurpose: ["DISCOVER", "INSTALL", "WIPE"],
  ProviderType: ["HOSTING", "COLOCATION", "TRANSIT", "INTERNET_EXCHANGE", "DARK_FIBER", "CLOUD", "OTHER"],
  RunMode: ["FULL", "PARTIAL"],
  RunState: ["RUNNING", "SUCCEEDED", "FAILED", "HELD", "ABANDONED", "CANCELLED"],
  SecretState: ["MISSING", "READABLE", "UNREADABLE"],
  SiteType: ["DATACENTER", "AVAILABILITY_ZONE", "EDGE", "VIRTUAL", "OTHER"],
  SourceHealth: ["NEVER", "FRESH", "STALE", "FAILING", "HELD", "PAUSED"],
  SourceHostsArrive: ["REGISTERED", "AS_REPORTED"],
  SourcePrune: ["RETIRE", "DELETE", "RELEASE", "KEEP"],
  Status: ["PLANNED", "STAGED", "ACTIVE", "OFFLINE", "FAILED", "DECOMMISSIONING", "RETIRED"]
};
var UNIONS = {
  CableEnd: ["Port", "PowerFeed", "CircuitTermination"],
  Hop: ["Port", "Cable", "CircuitTermination", "Circuit", "Site", "ProviderNetwork", "PowerFeed"],
  HostMachine: ["Device", "VirtualMachine"],
  LinkEnd: ["Site", "Cluster", "Device"],
  PathNode: ["Device", "ProviderNetwork", "Site", "Cluster"],
  PowerSource: ["PowerFeed", "Port"],
  SuggestedMachine: ["Device", "Host"]
};
var FILTERS = {
  RegionFilter: { "isNull": "Boolean", "id": "IdFilter", "path": "PathFilter", "name": "TextFilter", "labels": "LabelSelector", "tenant": "TextFilter", "description": "TextFilter", "externalRef": "ExternalRefFilter", "version": "LongFilter", "createdAt": "TimeFilter", "updatedAt": "TimeFilter", "within": "ID", "displayName": "TextFilter", "parent": "RegionFilter", "children": "RegionListFilter", "sites": "SiteListFilter" },
  IdFilter: { "eq": "ID", "in": "[ID!]" },
  PathFilter: { "eq": "String", "in": "[String!]" },
  TextFilter: { "eq": "String", "in": "[String!]", "contains": "String", "startsWith": "String", "endsWith": "String", "caseInsensitive": "Boolean", "isNull": "Boolean" },
  ExternalRefFilter: { "source": "String", "externalId": "String" },
  LongFilter: { "eq": "Long", "in": "[Long!]", "gt": "Long", "gte": "Long", "lt": "Long", "lte": "Long", "isNull": "Boolean" },
  TimeFilter: { "eq": "DateTime", "in": "[DateTime!]", "gt": "DateTime", "gte": "DateTime", "lt": "DateTime", "lte": "DateTime", "isNull": "Boolean" },
  RegionListFilter: { "some": "RegionFilter", "none": "RegionFilter" },
  SiteListFilter: { "some": "SiteFilter", "none": "SiteFilter" },
  SiteFilter: { "isNull": "Boolean", "id": "IdFilter", "path": "PathFilter", "name": "TextFilter", "labels": "LabelSelector", "tenant": "TextFilter", "description": "TextFilter", "externalRef": "ExternalRefFilter", "version": "LongFilter", "createdAt": "TimeFilter", "updatedAt": "TimeFilter", "within": "ID", "displayName": "TextFilter", "type": "SiteTypeFilter", "address": "TextFilter", "timeZone": "TextFilter", "status": "StatusFilter", "region": "RegionFilter", "provider": "ProviderFilter", "locations": "LocationListFilter", "racks": "RackListFilter", "powerFeeds": "PowerFeedListFilter", "devices": "DeviceListFilter", "circuitTerminations": "CircuitTerminationListFilter", "clusters": "ClusterListFilter", "appliances": "ApplianceListFilter" },
  SiteTypeFilter: { "eq": "SiteType", "in": "[SiteType!]", "notIn": "[SiteType!]", "isNull": "Boolean" },
  StatusFilter: { "eq": "Status", "in": "[Status!]", "notIn": "[Status!]", "isNull": "Boolean" },
  ProviderFilter: { "isNull": "Boolean", "id": "IdFilter", "path": "PathFilter", "name": "TextFilter", "labels": "LabelSelector", "tenant": "TextFilter", "description": "TextFilter", "externalRef": "ExternalRefFilter", "version": "LongFilter", "createdAt": "TimeFilter", "updatedAt": "TimeFilter", "within": "ID", "displayName": "TextFilter", "type": "ProviderTypeFilter", "sites": "SiteListFilter", "networks": "ProviderNetworkListFilter", "circuits": "CircuitListFilter", "virtualMachines": "VirtualMachineListFilter" },
  ProviderTypeFilter: { "eq": "ProviderType", "in": "[ProviderType!]", "notIn": "[ProviderType!]", "isNull": "Boolean" },
  ProviderNetworkListFilter: { "some": "ProviderNetworkFilter", "none": "ProviderNetworkFilter" },
  ProviderNetworkFilter: { "isNull": "Boolean", "id": "IdFilter", "path": "PathFilter", "name": "TextFilter", "labels": "LabelSelector", "tenant": "TextFilter", "description": "TextFilter", "externalRef": "ExternalRefFilter", "version": "LongFilter", "createdAt": "TimeFilter", "updatedAt": "TimeFilter", "within": "ID", "provider": "ProviderFilter", "circuitTerminations": "CircuitTerminationListFilter" },
  CircuitTerminationListFilter: { "some": "CircuitTerminationFilter", "none": "CircuitTerminationFilter" },
  CircuitTerminationFilter: { "isNull": "Boolean", "id": "IdFilter", "path": "PathFilter", "name": "TextFilter", "labels": "LabelSelector", "tenant": "TextFilter", "description": "TextFilter", "externalRef": "ExternalRefFilter", "version": "LongFilter", "createdAt": "TimeFilter", "updatedAt": "TimeFilter", "within": "ID", "side": "CircuitSideFilter", "circuit": "CircuitFilter", "site": "SiteFilter", "providerNetwork": "ProviderNetworkFilter", "port": "PortFilter" },
  CircuitSideFilter: { "eq": "CircuitSide", "in": "[CircuitSide!]", "notIn": "[CircuitSide!]", "isNull": "Boolean" },
  CircuitFilter: { "isNull": "Boolean", "id": "IdFilter", "path": "PathFilter", "name": "TextFilter", "labels": "LabelSelector", "tenant": "TextFilter", "description": "TextFilter", "externalRef": "ExternalRefFilter", "version": "LongFilter", "createdAt": "TimeFilter", "updatedAt": "TimeFilter", "within": "ID", "circuitId": "TextFilter", "type": "CircuitTypeFilter", "bandwidthMbps": "LongFilter", "distanceM": "FloatFilter", "latencyMs": "FloatFilter", "installedOn": "DateFilter", "status": "StatusFilter", "provider": "ProviderFilter", "terminations": "CircuitTerminationListFilter", "riskGroup": "String" },
  CircuitTypeFilter: { "eq": "CircuitType", "in": "[CircuitType!]", "notIn": "[CircuitType!]", "isNull": "Boolean" },
  FloatFilter: { "eq": "Float", "in": "[Float!]", "gt": "Float", "gte": "Float", "lt": "Float", "lte": "Float", "isNull": "Boolean" },
  DateFilter: { "eq": "Date", "in": "[Date!]", "gt": "Date", "gte": "Date", "lt": "Date", "lte": "Date", "isNull": "Boolean" },
  PortFilter: { "isNull": "Boolean", "id": "IdFilter", "path": "PathFilter", "name": "TextFilter", "labels": "LabelSelector", "tenant": "TextFilter", "description": "TextFilter", "externalRef": "ExternalRefFilter", "version": "LongFilter", "createdAt": "TimeFilter", "updatedAt": "TimeFilter", "within": "ID", "type": "PortTypeFilter", "family": "PortFamilyFilter", "connector": "TextFilter", "speedBps": "LongFilter", "mtu": "IntFilter", "mac": "TextFilter", "mgmtOnly": "BooleanFilter", "enabled": "BooleanFilter", "markConnected": "BooleanFilter", "positions": "IntFilter", "device": "DeviceFilter", "rack": "RackFilter", "virtualMachine": "VirtualMachineFilter", "lag": "PortFilter", "parent": "PortFilter", "members": "PortListFilter", "children": "PortListFilter", "outlets": "PortListFilter", "powerFeeds": "PowerFeedListFilter", "address": "TextFilter", "fedBy": "PowerSourceFilter", "cabled": "Boolean" },
  PortTypeFilter: { "eq": "PortType", "in": "[PortType!]", "notIn": "[PortType!]", "isNull": "Boolean" },
  PortFamilyFilter: { "eq": "PortFamily", "in": "[PortFamily!]", "notIn": "[PortFamily!]", "isNull": "Boolean" },
  IntFilter: { "eq": "Int", "in": "[Int!]", "gt": "Int", "gte": "Int", "lt": "Int", "lte": "Int", "isNull": "Boolean" },
  BooleanFilter: { "eq": "Boolean" },
  DeviceFilter: { "isNull": "Boolean", "id": "IdFilter", "path": "PathFilter", "name": "TextFilter", "labels": "LabelSelector", "tenant": "TextFilter", "description": "TextFilter", "externalRef": "ExternalRefFilter", "version": "LongFilter", "createdAt": "TimeFilter", "updatedAt": "TimeFilter", "within": "ID", "role": "DeviceRoleFilter", "slot": "TextFilter", "startUnit": "FloatFilter", "face": "FaceFilter", "manufacturer": "TextFilter", "model": "TextFilter", "serial": "TextFilter", "assetTag": "TextFilter", "platform": "TextFilter", "forwards": "BooleanFilter", "plane": "PlaneFilter", "inletsRequired": "IntFilter", "status": "StatusFilter", "site": "SiteFilter", "location": "LocationFilter", "cluster": "ClusterFilter", "parent": "DeviceFilter", "rack": "RackFilter", "ports": "PortListFilter", "children": "DeviceListFilter", "virtualMachines": "VirtualMachineListFilter", "hosts": "HostListFilter", "address": "TextFilter" },
  DeviceRoleFilter: { "eq": "DeviceRole", "in": "[DeviceRole!]", "notIn": "[DeviceRole!]", "isNull": "Boolean" },
  FaceFilter: { "eq": "Face", "in": "[Face!]", "notIn": "[Face!]", "isNull": "Boolean" },
  PlaneFilter: { "eq": "Plane", "in": "[Plane!]", "notIn": "[Plane!]", "isNull": "Boolean" },
  LocationFilter: { "isNull": "Boolean", "id": "IdFilter", "path": "PathFilter", "name": "TextFilter", "labels": "LabelSelector", "tenant": "TextFilter", "description": "TextFilter", "externalRef": "ExternalRefFilter", "version": "LongFilter", "createdAt": "TimeFilter", "updatedAt": "TimeFilter", "within": "ID", "type": "LocationTypeFilter", "site": "SiteFilter", "parent": "LocationFilter", "children": "LocationListFilter", "racks": "RackListFilter", "devices": "DeviceListFilter" },
  LocationTypeFilter: { "eq": "LocationType", "in": "[LocationType!]", "notIn": "[LocationType!]", "isNull": "Boolean" },
  LocationListFilter: { "some": "LocationFilter", "none": "LocationFilter" },
  RackListFilter: { "some": "RackFilter", "none": "RackFilter" },
  RackFilter: { "isNull": "Boolean", "id": "IdFilter", "path": "PathFilter", "name": "TextFilter", "labels": "LabelSelector", "tenant": "TextFilter", "description": "TextFilter", "externalRef": "ExternalRefFilter", "version": "LongFilter", "createdAt": "TimeFilter", "updatedAt": "TimeFilter", "within": "ID", "cage": "TextFilter", "row": "TextFilter", "heightU": "IntFilter", "serial": "TextFilter", "assetTag": "TextFilter", "status": "StatusFilter", "site": "SiteFilter", "location": "LocationFilter", "devices": "DeviceListFilter", "ports": "PortListFilter", "powerFeeds": "PowerFeedListFilter", "appliances": "ApplianceListFilter" },
  DeviceListFilter: { "some": "DeviceFilter", "none": "DeviceFilter" },
  PortListFilter: { "some": "PortFilter", "none": "PortFilter" },
  PowerFeedListFilter: { "some": "PowerFeedFilter", "none": "PowerFeedFilter" },
  PowerFeedFilter: { "isNull": "Boolean", "id": "IdFilter", "path": "PathFilter", "name": "TextFilter", "labels": "LabelSelector", "tenant": "TextFilter", "description": "TextFilter", "externalRef": "ExternalRefFilter", "version": "LongFilter", "createdAt": "TimeFilter", "updatedAt": "TimeFilter", "within": "ID", "phase": "PhaseFilter", "voltage": "IntFilter", "ampsRated": "IntFilter", "status": "StatusFilter", "site": "SiteFilter", "rack": "RackFilter", "downstream": "PowerFeedListFilter", "upstream": "PowerSourceFilter", "riskGroup": "String" },
  PhaseFilter: { "eq": "Phase", "in": "[Phase!]", "notIn": "[Phase!]", "isNull": "Boolean" },
  PowerSourceFilter: { "powerFeed": "PowerFeedFilter", "port": "PortFilter" },
  ApplianceListFilter: { "some": "ApplianceFilter", "none": "ApplianceFilter" },
  ApplianceFilter: { "isNull": "Boolean", "id": "IdFilter", "path": "PathFilter", "name": "TextFilter", "labels": "LabelSelector", "tenant": "TextFilter", "description": "TextFilter", "externalRef": "ExternalRefFilter", "version": "LongFilter", "createdAt": "TimeFilter", "updatedAt": "TimeFilter", "within": "ID", "type": "ApplianceTypeFilter", "url": "TextFilter", "namePattern": "TextFilter", "prefix": "TextFilter", "interval": "IntFilter", "credential": "CredentialFilter", "site": "SiteFilter", "rack": "RackFilter", "hosts": "HostListFilter" },
  ApplianceTypeFilter: { "eq": "ApplianceType", "in": "[ApplianceType!]", "notIn": "[ApplianceType!]", "isNull": "Boolean" },
  CredentialFilter: { "isNull": "Boolean", "id": "IdFilter", "path": "PathFilter", "name": "TextFilter", "labels": "LabelSelector", "tenant": "TextFilter", "description": "TextFilter", "externalRef": "ExternalRefFilter", "version": "LongFilter", "createdAt": "TimeFilter", "updatedAt": "TimeFilter", "within": "ID", "type": "CredentialTypeFilter", "username": "TextFilter", "appliances": "ApplianceListFilter", "hosts": "HostListFilter" },
  CredentialTypeFilter: { "eq": "CredentialType", "in": "[CredentialType!]", "notIn": "[CredentialType!]", "isNull": "Boolean" },
  HostListFilter: { "some": "HostFilter", "none": "HostFilter" },
  HostFilter: { "isNull": "Boolean", "id": "IdFilter", "path": "PathFilter", "name": "TextFilter", "labels": "LabelSelector", "tenant": "TextFilter", "description": "TextFilter", "externalRef": "ExternalRefFilter", "version": "LongFilter", "createdAt": "TimeFilter", "updatedAt": "TimeFilter", "within": "ID", "uid": "TextFilter", "serial": "TextFilter", "title": "TextFilter", "architecture": "CpuArchitectureFilter", "bmcUrl": "TextFilter", "bootMac": "TextFilter", "bootIp": "TextFilter", "bootMode": "HostBootModeFilter", "boot": "HostBootFilter", "provisioner": "TextFilter", "acquiredFor": "TextFilter", "deleting": "BooleanFilter", "state": "HostStateFilter", "power": "HostPowerFilter", "class": "HostClassFilter", "appliance": "ApplianceFilter", "bmcCredential": "CredentialFilter", "cluster": "ClusterFilter", "shortId": "TextFilter", "machine": "HostMachineFilter", "inMaintenance": "Boolean", "condition": "TextFilter", "hardwareCondition": "HardwareConditionFilter", "hasAgent": "Boolean" },
  CpuArchitectureFilter: { "eq": "CpuArchitecture", "in": "[CpuArchitecture!]", "notIn": "[CpuArchitecture!]", "isNull": "Boolean" },
  HostBootModeFilter: { "eq": "HostBootMode", "in": "[HostBootMode!]", "notIn": "[HostBootMode!]", "isNull": "Boolean" },
  HostBootFilter: { "eq": "HostBoot", "in": "[HostBoot!]", "notIn": "[HostBoot!]", "isNull": "Boolean" },
  HostStateFilter: { "eq": "HostState", "in": "[HostState!]", "notIn": "[HostState!]", "isNull": "Boolean" },
  HostPowerFilter: { "eq": "HostPower", "in": "[HostPower!]", "notIn": "[HostPower!]", "isNull": "Boolean" },
  HostClassFilter: { "isNull": "Boolean", "id": "IdFilter", "path": "PathFilter", "name": "TextFilter", "labels": "LabelSelector", "tenant": "TextFilter", "description": "TextFilter", "externalRef": "ExternalRefFilter", "version": "LongFilter", "createdAt": "TimeFilter", "updatedAt": "TimeFilter", "within": "ID", "title": "TextFilter", "hosts": "HostListFilter" },
  ClusterFilter: { "isNull": "Boolean", "id": "IdFilter", "path": "PathFilter", "name": "TextFilter", "labels": "LabelSelector", "tenant": "TextFilter", "description": "TextFilter", "externalRef": "ExternalRefFilter", "version": "LongFilter", "createdAt": "TimeFilter", "updatedAt": "TimeFilter", "within": "ID", "displayName": "TextFilter", "type": "ClusterTypeFilter", "role": "ClusterRoleFilter", "platform": "TextFilter", "endpoint": "TextFilter", "controlPlaneSite": "SiteFilter", "devices": "DeviceListFilter", "virtualMachines": "VirtualMachineListFilter", "hosts": "HostListFilter" },
  ClusterTypeFilter: { "eq": "ClusterType", "in": "[ClusterType!]", "notIn": "[ClusterType!]", "isNull": "Boolean" },
  ClusterRoleFilter: { "eq": "ClusterRole", "in": "[ClusterRole!]", "notIn": "[ClusterRole!]", "isNull": "Boolean" },
  VirtualMachineListFilter: { "some": "VirtualMachineFilter", "none": "VirtualMachineFilter" },
  VirtualMachineFilter: { "isNull": "Boolean", "id": "IdFilter", "path": "PathFilter", "name": "TextFilter", "labels": "LabelSelector", "tenant": "TextFilter", "description": "TextFilter", "externalRef": "ExternalRefFilter", "version": "LongFilter", "createdAt": "TimeFilter", "updatedAt": "TimeFilter", "within": "ID", "status": "StatusFilter", "host": "DeviceFilter", "cluster": "ClusterFilter", "provider": "ProviderFilter", "ports": "PortListFilter", "hosts": "HostListFilter", "address": "TextFilter" },
  HostMachineFilter: { "device": "DeviceFilter", "virtualMachine": "VirtualMachineFilter", "isNull": "Boolean" },
  HardwareConditionFilter: { "eq": "HardwareCondition", "in": "[HardwareCondition!]", "notIn": "[HardwareCondition!]", "isNull": "Boolean" },
  CircuitListFilter: { "some": "CircuitFilter", "none": "CircuitFilter" },
  ClusterListFilter: { "some": "ClusterFilter", "none": "ClusterFilter" },
  CableFilter: { "isNull": "Boolean", "id": "IdFilter", "path": "PathFilter", "name": "TextFilter", "labels": "LabelSelector", "tenant": "TextFilter", "description": "TextFilter", "externalRef": "ExternalRefFilter", "version": "LongFilter", "createdAt": "TimeFilter", "updatedAt": "TimeFilter", "within": "ID", "label": "TextFilter", "media": "MediaFilter", "status": "CableStatusFilter", "lengthM": "FloatFilter", "color": "TextFilter", "links": "LinkListFilter", "end": "CableEndFilter", "riskGroup": "String" },
  MediaFilter: { "eq": "Media", "in": "[Media!]", "notIn": "[Media!]", "isNull": "Boolean" },
  CableStatusFilter: { "eq": "CableStatus", "in": "[CableStatus!]", "notIn": "[CableStatus!]", "isNull": "Boolean" },
  LinkListFilter: { "some": "LinkFilter", "none": "LinkFilter" },
  LinkFilter: { "isNull": "Boolean", "id": "IdFilter", "path": "PathFilter", "name": "TextFilter", "labels": "LabelSelector", "tenant": "TextFilter", "description": "TextFilter", "externalRef": "ExternalRefFilter", "version": "LongFilter", "createdAt": "TimeFilter", "updatedAt": "TimeFilter", "within": "ID", "type": "LinkTypeFilter", "capacityMbps": "LongFilter", "latencyMs": "FloatFilter", "a": "LinkEndFilter", "b": "LinkEndFilter", "end": "LinkEndFilter", "cable": "CableFilter" },
  LinkTypeFilter: { "eq": "LinkType", "in": "[LinkType!]", "notIn": "[LinkType!]", "isNull": "Boolean" },
  LinkEndFilter: { "site": "SiteFilter", "cluster": "ClusterFilter", "device": "DeviceFilter" },
  CableEndFilter: { "port": "PortFilter", "powerFeed": "PowerFeedFilter", "circuitTermination": "CircuitTerminationFilter" },
  SourceFilter: { "isNull": "Boolean", "id": "IdFilter", "path": "PathFilter", "name": "TextFilter", "labels": "LabelSelector", "tenant": "TextFilter", "description": "TextFilter", "externalRef": "ExternalRefFilter", "version": "LongFilter", "createdAt": "TimeFilter", "updatedAt": "TimeFilter", "within": "ID", "type": "TextFilter", "url": "TextFilter", "interval": "IntFilter", "prune": "SourcePruneFilter", "paused": "BooleanFilter", "health": "SourceHealthFilter", "hostsArrive": "SourceHostsArriveFilter" },
  SourcePruneFilter: { "eq": "SourcePrune", "in": "[SourcePrune!]", "notIn": "[SourcePrune!]", "isNull": "Boolean" },
  SourceHealthFilter: { "eq": "SourceHealth", "in": "[SourceHealth!]", "notIn": "[SourceHealth!]", "isNull": "Boolean" },
  SourceHostsArriveFilter: { "eq": "SourceHostsArrive", "in": "[SourceHostsArrive!]", "notIn": "[SourceHostsArrive!]", "isNull": "Boolean" },
  ProfileFilter: { "isNull": "Boolean", "id": "IdFilter", "path": "PathFilter", "name": "TextFilter", "labels": "LabelSelector", "tenant": "TextFilter", "description": "TextFilter", "externalRef": "ExternalRefFilter", "version": "LongFilter", "createdAt": "TimeFilter", "updatedAt": "TimeFilter", "within": "ID", "purpose": "ProfilePurposeFilter", "method": "ProfileMethodFilter", "repository": "TextFilter", "debug": "BooleanFilter", "hosts": "HostListFilter" },
  ProfilePurposeFilter: { "eq": "ProfilePurpose", "in": "[ProfilePurpose!]", "notIn": "[ProfilePurpose!]", "isNull": "Boolean" },
  ProfileMethodFilter: { "eq": "ProfileMethod", "in": "[ProfileMethod!]", "notIn": "[ProfileMethod!]", "isNull": "Boolean" }
};
var INDEXED_ORDERS = ["KEY", "UPDATED_AT"];
var HAS = {
  "viewer": true,
  "facets": true,
  "skip": true,
  "fromHost": true
};

// src/kinds/registry.ts
var GROUPS = [
  ["Places", ["Region", "Site", "Location", "Rack", "PowerFeed"]],
  ["Equipment", ["Device", "Port", "Appliance"]],
  ["Lines", ["Cable", "Link", "Circuit", "CircuitTermination", "Provider", "ProviderNetwork"]],
  ["Computing", ["Host", "VirtualMachine", "Cluster", "HostClass", "Profile", "Credential", "Source"]]
];
var COLUMNS = {
  Region: ["name", "parent", "description", "labels"],
  Site: ["name", "status", "type", "region", "provider", "labels"],
  Rack: ["name", "status", "site", "location", "row", "heightU", "labels"],
  Device: ["name", "role", "status", "site", "placement", "model", "serial", "labels"],
  Port: ["name", "device", "type", "connector", "speedBps", "enabled", "cable", "mac"],
  Cable: ["name", "status", "media", "aEnds", "bEnds", "lengthM", "color"],
  Link: ["name", "type", "aEnd", "bEnd", "speedBps", "labels"],
  Circuit: ["name", "circuitId", "type", "status", "provider", "bandwidthBps", "labels"],
  CircuitTermination: ["name", "circuit", "side", "site", "cable"],
  PowerFeed: ["name", "site", "rack", "phase", "voltage", "ampsRated", "upstream"],
  VirtualMachine: ["name", "status", "cluster", "host", "site", "vcpus", "memoryMib", "labels"],
  Host: ["name", "state", "class", "site", "power", "machine", "labels"]
};
var PARENTS = {
  Port: ["device", "rack", "virtualMachine"],
  CircuitTermination: ["circuit"],
  PowerFeed: ["rack"]
};
var KEYS = {
  Region: [],
  Site: [],
  Rack: ["site"],
  Device: ["site"],
  Cable: [],
  Link: [],
  Provider: [],
  ProviderNetwork: ["provider"],
  Circuit: ["provider"],
  Cluster: [],
  Host: [],
  HostClass: [],
  Profile: [],
  Credential: [],
  Appliance: [],
  Source: []
};
function titleOf2(kind) {
  return words(kind);
}
function pluralOf(kind) {
  return words(KINDS[kind]?.list ?? kind);
}
var ACRONYMS = /* @__PURE__ */ new Set(["AC", "AMD64", "ARM64", "ID", "LAG", "MAC", "URL", "UUID", "VLAN", "AOC", "BGP", "BMC", "CPU", "DAC", "DC", "GPU", "HDD", "IP", "IPMI", "MMF", "NVME", "OOB", "OS", "PDU", "PXE", "SMF", "SSD", "UPS", "USB", "VM"]);
var UNITS = { Bps: "", Bytes: "", Mib: "MiB", Gib: "GiB", U: "U", M: "m", W: "W", Mm: "mm", Kg: "kg", Ms: "ms" };
var DERIVED = { Device: ["rack", "startUnit"] };
function words(name) {
  const parts = name.replace(/_/g, " ").match(/[A-Z]+(?![a-z])|[A-Z]?[a-z\d]+|\d+/g) ?? [name];
  const unit = parts.length > 1 ? UNITS[parts.at(-1) ?? ""] : void 0;
  const plain = (unit === void 0 ? parts : parts.slice(0, -1)).map((it) => ACRONYMS.has(it.toUpperCase()) ? it.toUpperCase() : it.toLowerCase());
  const text = plain.join(" ");
  return (text[0]?.toUpperCase() ?? "") + text.slice(1) + (unit ? ` (${unit})` : "");
}
function enumWords(value) {
  const text = value.split("_").map((it) => ACRONYMS.has(it) ? it : it.toLowerCase()).join(" ");
  return text[0] ? text[0].toUpperCase() + text.slice(1) : text;
}
function kindOf(name) {
  return KINDS[name];
}
function kinds() {
  return Object.values(KINDS);
}
function groups() {
  const named = new Set(GROUPS.flatMap(([, names]) => names));
  const rest = kinds().filter((it) => !named.has(it.name));
  const made = GROUPS.map(([title, names]) => ({ title, kinds: names.flatMap((it) => KINDS[it] ?? []) }));
  if (rest.length > 0) made.push({ title: "Other", kinds: rest });
  return made;
}
function segmentOf(kind) {
  return kind.list.replace(/[A-Z]/g, (it) => `-${it.toLowerCase()}`);
}
function kindBySegment(segment) {
  return kinds().find((it) => segmentOf(it) === segment);
}
function fieldOf(kind, name) {
  return kind.fields.find((it) => it.name === name);
}
function columnsOf(kind) {
  return kind.fields.filter((it) => it.is !== "many" && it.name !== "attributes");
}
function firstColumns(kind) {
  const there = new Set(columnsOf(kind).map((it) => it.name));
  const chosen2 = (COLUMNS[kind.name] ?? []).filter((it) => there.has(it));
  if (chosen2.length > 2) return chosen2;
  const plain = columnsOf(kind).filter((it) => !["id", "version", "createdAt", "updatedAt", "tenant", "externalRefs"].includes(it.name));
  return plain.slice(0, 7).map((it) => it.name);
}
function nameSelection(kind) {
  const asked3 = /* @__PURE__ */ new Set([...PARENTS[kind] ?? [], ...KEYS[kind] ?? []]);
  const parents = [...asked3].filter((it) => KINDS[kind]?.fields.some((field) => field.name === it));
  return `__typename id name ${parents.map((it) => `${it} { __typename id name }`).join(" ")}`;
}
function keyOf(kind) {
  return KEYS[kind];
}
function parentsOf(kind) {
  return PARENTS[kind] ?? [];
}
function selectionOf(field, depth = 0) {
  if (field.is === "scalar" || field.is === "enum") return field.name;
  if (field.is === "one") return `${field.name} { ${KINDS[field.of] ? nameSelection(field.of) : "__typename id"} }`;
  if (field.is === "union") {
    const members = (UNIONS[field.of] ?? []).map((it) => `... on ${it} { ${nameSelection(it)} }`);
    return `${field.name} { __typename ${members.join(" ")} }`;
  }
  if (field.is === "value") {
    const parts = (VALUES[field.of] ?? []).filter((it) => it.is !== "many" && (depth < 2 || it.is !== "value"));
    return parts.length === 0 ? `${field.name} { __typename }` : `${field.name} { ${parts.map((it) => selectionOf(it, depth + 1)).join(" ")} }`;
  }
  return "";
}
function kindsIn(field) {
  if (field.is === "one") return KINDS[field.of] ? [field.of, ...parentsOf(field.of).map((it) => it[0]?.toUpperCase() + it.slice(1))] : [];
  if (field.is === "union") return UNIONS[field.of] ?? [];
  if (field.is === "value") return (VALUES[field.of] ?? []).flatMap((it) => it.is === "one" || it.is === "union" ? kindsIn(it) : []);
  return [];
}
function valuesOf(name) {
  return ENUMS[name] ?? [];
}
function filterFields(type) {
  return FILTERS[type] ?? {};
}
function bareType(type) {
  return type.replace(/[[\]!]/g, "");
}

// src/kinds/narrow.ts
var IN = "in";
var NOWHERE = /* @__PURE__ */ new Set(["Provider", "ProviderNetwork", "HostClass", "Profile", "Credential", "Source"]);
var PLACES = /* @__PURE__ */ new Set(["Region", "Site", "Location", "Rack"]);
var isPlaced = (kind) => !NOWHERE.has(kind);
function placeFilter(kind, place) {
  if (!place || !isPlaced(kind)) return null;
  if (PLACES.has(kind)) return { or: [{ within: place }, { id: { eq: place } }] };
  return { within: place };
}
function narrow(kind, filter, place) {
  const own = placeFilter(kind.name, place);
  return own && filter ? { and: [own, filter] } : own ?? filter;
}

// src/routes.ts
var ROUTES = [
  { path: "/", screen: "home", title: "Home", key: "h" },
  { path: "/changes", screen: "changes", title: "Changes", key: "c", menu: "History" },
  { path: "/hardware-events", screen: "hardware-events", title: "Hardware events", key: "t", menu: "History" },
  { path: "/changes/:rest", screen: "revision", title: "Revision" },
  { path: "/review", screen: "review", title: "Review", key: "w" },
  { path: "/patch", screen: "patch", title: "Patching", key: "n", menu: "Operation" },
  { path: "/elevations", screen: "elevations", title: "Elevations", key: "e", menu: "Operation" },
  { path: "/impact", screen: "impact", title: "Impact", key: "m", menu: "What if" },
  { path: "/single-points", screen: "single-points", title: "Single points of failure", key: "x", menu: "What if" },
  { path: "/paths", screen: "paths", title: "Paths", key: "a", menu: "What if" },
  { path: "/hosts-board", screen: "hosts-board", title: "Host board", key: "b", menu: "Operation" },
  { path: "/parts", screen: "parts", title: "Parts", key: "y", menu: "Operation" },
  { path: "/parts/:rest", screen: "part", title: "Part" },
  { path: "/enrolment", screen: "enrolment", title: "Enrolment", key: "j", menu: "Operation" },
  { path: "/sources-board", screen: "sources-board", title: "Source board", key: "q", menu: "Operation" },
  { path: "/api", screen: "api", title: "API", key: "u", menu: "Operation" },
  { path: "/:kind", screen: "list", title: "List" },
  { path: "/:kind/:rest/elevation", screen: "elevation", title: "Elevation", kinds: ["Rack"] },
  { path: "/:kind/:rest/trace", screen: "trace", title: "Trace", kinds: ["Port", "PowerFeed", "CircuitTermination", "Cable", "Device"] },
  { path: "/:kind/:rest/power", screen: "power", title: "Power", kinds: ["Device"] },
  { path: "/:kind/:rest/hardware", screen: "hardware", title: "Hardware", kinds: ["Host"] },
  { path: "/:kind/:rest", screen: "detail", title: "Detail" }
];
var LIST_KEYS = {
  s: "Site",
  r: "Rack",
  d: "Device",
  p: "Port",
  l: "Cable",
  i: "Circuit",
  v: "VirtualMachine",
  k: "Cluster",
  o: "Host",
  f: "PowerFeed"
};
var url = y3(new URL(location.href));
var currentRoute = O(() => match(url.value.pathname));
function match(pathname) {
  const parts = pathname.split("/").filter(Boolean).map((it) => {
    try {
      return decodeURIComponent(it);
    } catch {
      return it;
    }
  });
  for (const route of ROUTES) {
    const pattern = route.path.split("/").filter(Boolean);
    const open = pattern.includes(":rest");
    if (open ? parts.length < pattern.length : parts.length !== pattern.length) continue;
    const kind = pattern[0] === ":kind" ? kindBySegment(parts[0] ?? "") : void 0;
    if (pattern[0] === ":kind" ? !kind : pattern[0] !== void 0 && pattern[0] !== parts[0]) continue;
    if (route.kinds && !route.kinds.includes(kind?.name ?? "")) continue;
    const view = pattern.length === 3 ? pattern[2] : void 0;
    const rest = open ? parts.slice(view ? 1 : pattern.length - 1, view ? -1 : void 0) : [];
    if (view && (parts.at(-1) !== view || !isWhole(kind, rest))) continue;
    return { screen: route.screen, ...kind ? { kind } : {}, rest };
  }
  return { screen: "nowhere", rest: parts };
}
var UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;
function isWhole(kind, rest) {
  if (rest.length === 1 && UUID.test(rest[0] ?? "")) return true;
  const key = kind && keyOf(kind.name);
  return key !== void 0 && rest.length === key.length + 1;
}
var narrowedTo = () => url.value.searchParams.get(IN);
function go(to, how = "push") {
  visit(taken(to), how);
}
function taken(to) {
  const next = new URL(to, url.value);
  const place = narrowedTo();
  if (place && !next.searchParams.has(IN)) next.searchParams.set(IN, place);
  return next;
}
function visit(next, how) {
  if (next.href === url.value.href) return;
  if (how === "push") history.pushState(null, "", next);
  else history.replaceState(null, "", next);
  url.value = next;
}
function setParams(changes, how = "push") {
  const next = new URL(url.value);
  for (const [name, value] of Object.entries(changes)) {
    next.searchParams.delete(name);
    if (value !== null) for (const it of [value].flat()) next.searchParams.append(name, it);
  }
  visit(next, how);
}
function listPath(kind) {
  return `/${segmentOf(kind)}`;
}
function pathOf(name, row) {
  const kind = kindOf(name);
  if (!kind) return `/`;
  const key = keyOf(name)?.map((it) => row[it]?.name);
  const parts = key && typeof row.name === "string" && key.every((it) => typeof it === "string") ? [...key, row.name] : [row.id];
  return `${listPath(kind)}/${parts.map((it) => encodeURIComponent(String(it))).join("/")}`;
}
function viewsOf(kind, row) {
  const own = ROUTES.filter((it) => it.kinds?.includes(kind.name)).map((it) => ({ screen: it.screen, title: it.title, path: `${pathOf(kind.name, row)}/${it.path.split("/").at(-1)}` }));
  const rack = row.placement?.rack;
  if (rack) own.unshift({ screen: "elevation", title: "Elevation", path: `${pathOf("Rack", rack)}/elevation?device=${row.id}` });
  if (kind.name === "Device") own.push({ screen: "patch", title: "Patch", path: `/patch?a=${row.id}` });
  if (["Region", "Site", "Location"].includes(kind.name)) own.push({ screen: "elevations", title: "Elevations", path: `/elevations?within=${row.id}` });
  return own;
}
function start() {
  window.addEventListener("popstate", () => {
    url.value = new URL(location.href);
  });
  document.addEventListener("click", (event) => {
    const link = ownLink(event);
    if (!link) return;
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return elsewhere(link);
    event.preventDefault();
    go(hrefOf(link));
  });
  for (const type of ["auxclick", "contextmenu"]) {
    document.addEventListener(type, (event) => {
      const link = ownLink(event);
      if (link) elsewhere(link);
    });
  }
}
var hrefOf = (link) => link.getAttribute("href") ?? "";
function ownLink(event) {
  const link = event.target?.closest?.("a[href]");
  if (event.defaultPrevented || !link || link.hasAttribute("target") || link.hasAttribute("download")) return void 0;
  const to = new URL(hrefOf(link), location.href);
  return to.origin !== location.origin || /^\/(graphql|console)/.test(to.pathname) ? void 0 : link;
}
function elsewhere(link) {
  const before = hrefOf(link);
  const { pathname, search, hash } = taken(before);
  link.setAttribute("href", pathname + search + hash);
  setTimeout(() => link.setAttribute("href", before));
}
function idOrPath(kind, id) {
  return pathOf(kind, { id });
}
function titleOfRoute(at, name) {
  const route = ROUTES.find((it) => it.screen === at.screen);
  const subject = at.kind ? (at.screen === "list" ? pluralOf : titleOf2)(at.kind.name) : route?.title ?? "Nothing here";
  return name ? `${name} \xB7 ${subject}` : subject;
}

// src/keys.ts
var COMMANDS = [
  { id: "palette", title: "Search and commands", group: "Everywhere", keys: ["Mod+k", "/"], hidden: true },
  { id: "help", title: "Keys of this page", group: "Everywhere", keys: ["?"] },
  { id: "out", title: "Close what is open beside", group: "Everywhere", keys: ["Escape"], hidden: true },
  { id: "theme", title: "Switch between light and dark", group: "Everywhere", keys: [] },
  { id: "files", title: "Review manifests and tables from files\u2026", group: "Everywhere", keys: [] },
  { id: "place", title: "Narrow everything to a place", group: "Everywhere", keys: ["w"] },
  { id: "copy-link", title: "Copy a link to this view", group: "Everywhere", keys: ["y"] },
  { id: "up", title: "Go up to what contains this", group: "Objects", keys: ["u"] },
  { id: "edit", title: "Edit", group: "Objects", keys: ["e"] },
  { id: "delete", title: "Delete\u2026", group: "Objects", keys: [] },
  { id: "trace", title: "Trace", group: "Objects", keys: ["t"] },
  { id: "impact", title: "Add to the impact basket", group: "Objects", keys: ["i"] },
  { id: "power", title: "Show the power chain", group: "Objects", keys: [] },
  { id: "hardware", title: "Show the hardware", group: "Objects", keys: [] },
  { id: "patch", title: "Patch its ports", group: "Objects", keys: [] },
  { id: "elevation", title: "Show the elevation", group: "Objects", keys: ["v"] },
  { id: "move", title: "Move to\u2026", group: "Objects", keys: ["m"] },
  { id: "review", title: "Review the moves", group: "Objects", keys: ["r"] },
  { id: "back-one", title: "Previous of the list", group: "Objects", keys: ["["] },
  { id: "on-one", title: "Next of the list", group: "Objects", keys: ["]"] },
  { id: "actions", title: "Commands that work here", group: "Everywhere", keys: ["."], hidden: true },
  { id: "run", title: "Run the operation, or stop it", group: "Objects", keys: ["Mod+enter"] },
  { id: "next", title: "Next row", group: "Lists", keys: ["j"], hidden: true },
  { id: "previous", title: "Previous row", group: "Lists", keys: ["k"], hidden: true },
  { id: "mark", title: "Mark the row", group: "Lists", keys: ["x"], hidden: true },
  { id: "mark-all", title: "Mark all that fit", group: "Lists", keys: ["Shift+X"] },
  { id: "unmark", title: "Remove all marks", group: "Lists", keys: [] },
  { id: "open", title: "Open the row", group: "Lists", keys: ["Enter"], hidden: true },
  { id: "preview", title: "Preview the row", group: "Lists", keys: ["o"], hidden: true },
  { id: "filter", title: "Add a filter", group: "Lists", keys: ["f"] },
  { id: "group", title: "Group by fields, with counts", group: "Lists", keys: ["b"] },
  { id: "columns", title: "Choose columns", group: "Lists", keys: ["c"] },
  { id: "create", title: "Create an object", group: "Lists", keys: ["n"] },
  { id: "export", title: "Export or copy this list", group: "Lists", keys: [] },
  ...ROUTES.filter((it) => it.key).map((it) => ({ id: `go ${it.path}`, title: it.title, group: "Go to", keys: [`g ${it.key}`] })),
  ...Object.entries(LIST_KEYS).flatMap(([key, kind]) => kindOf(kind) ? [{ id: `go-list ${kind}`, title: pluralOf(kind), group: "Go to", keys: [`g ${key}`] }] : [])
];
var provided = y3([]);
var keysOn = y3(localStorage.getItem("underlay-keys") !== "off");
function switchKeys(on) {
  keysOn.value = on;
  localStorage.setItem("underlay-keys", on ? "on" : "off");
}
var goes = Object.fromEntries([
  ...ROUTES.filter((it) => it.key).map((it) => [`go ${it.path}`, () => go(it.path)]),
  ...Object.values(LIST_KEYS).flatMap((kind) => {
    const found = kindOf(kind);
    return found ? [[`go-list ${kind}`, () => go(listPath(found))]] : [];
  })
]);
function runOf(id) {
  return provided.value.findLast((it) => id in it)?.[id] ?? goes[id];
}
var available = O(() => COMMANDS.flatMap((it) => {
  const run = runOf(it.id);
  return run ? [{ ...it, run }] : [];
}));
function useCommands(runs) {
  const latest = T2(runs);
  latest.current = runs;
  const ids = Object.keys(runs).join(" ");
  F2(() => {
    const stable = Object.fromEntries(ids.split(" ").filter(Boolean).map((id) => [id, () => latest.current[id]?.()]));
    provided.value = [...provided.value, stable];
    return () => {
      provided.value = provided.value.filter((it) => it !== stable);
    };
  }, [ids]);
}
var isMac = /Mac|iPhone|iPad/.test(navigator.platform);
function keyWords(key) {
  const modified = key.replace(/^Mod\+(.)(.*)$/, (_4, first, rest) => (isMac ? "\u2318" : "Ctrl ") + first.toUpperCase() + rest);
  return modified.replace("Shift+", isMac ? "\u21E7" : "Shift ");
}
function spell(event) {
  if (event.ctrlKey || event.metaKey) return `Mod+${event.key.toLowerCase()}`;
  if (event.shiftKey && /^[A-Z]$/.test(event.key)) return `Shift+${event.key}`;
  return event.key;
}
var inField = (target) => target instanceof HTMLElement && target.closest("input, textarea, select, [contenteditable], [role=listbox]") !== null;
var inControl = (target) => target instanceof HTMLElement && target.closest("a, button, summary, [role=tab], [role=menuitem]") !== null;
var SEQUENCE_MS = 1500;
var begun = "";
var forget;
function pressed(event) {
  if (event.defaultPrevented || event.altKey || event.isComposing) return;
  const key = spell(event);
  const modified = key.startsWith("Mod+");
  if (!modified && (!keysOn.value || inField(event.target) || document.querySelector("dialog[open], :popover-open"))) return;
  if (key === "Enter" && inControl(event.target)) return;
  const whole2 = begun ? `${begun} ${key}` : key;
  clearTimeout(forget);
  begun = "";
  const found = available.value.find((it) => it.keys.includes(whole2));
  if (found) {
    event.preventDefault();
    found.run();
  } else if (COMMANDS.some((it) => it.keys.some((one) => one.startsWith(`${whole2} `)))) {
    begun = whole2;
    forget = setTimeout(() => {
      begun = "";
    }, SEQUENCE_MS);
  }
}
function startKeys() {
  document.addEventListener("keydown", pressed);
}

// src/kinds/format.ts
var whole = new Intl.NumberFormat();
var fine = new Intl.NumberFormat(void 0, { maximumFractionDigits: 2 });
var when = new Intl.DateTimeFormat(void 0, { dateStyle: "medium", timeStyle: "short" });
var ago = new Intl.RelativeTimeFormat(void 0, { numeric: "auto", style: "short" });
var number = (value) => Number.isInteger(value) ? whole.format(value) : fine.format(value);
var time = (value) => {
  const date = new Date(value);
  return Number.isNaN(date.getTime()) ? value : when.format(date);
};
var STEPS = [["year", 31536e3], ["month", 2592e3], ["day", 86400], ["hour", 3600], ["minute", 60], ["second", 1]];
function since(value, now = Date.now()) {
  const seconds = (new Date(value).getTime() - now) / 1e3;
  const [unit, size] = STEPS.find(([, it]) => Math.abs(seconds) >= it) ?? ["second", 1];
  return ago.format(Math.round(seconds / size), unit);
}
var PREFIXES = [["T", 1e12], ["G", 1e9], ["M", 1e6], ["k", 1e3]];
function rate(bps) {
  const [prefix, size] = PREFIXES.find(([, it]) => bps >= it) ?? ["", 1];
  return `${number(bps / size)} ${prefix}bit/s`;
}
var BINARY = [["TiB", 2 ** 40], ["GiB", 2 ** 30], ["MiB", 2 ** 20]];
var DECIMAL = [["TB", 1e12], ["GB", 1e9], ["MB", 1e6]];
function bytes(value, steps = value % 2 ** 20 === 0 ? BINARY : DECIMAL) {
  const [unit, size] = steps.find(([, it]) => value >= it) ?? ["B", 1];
  return `${number(value / size)} ${unit}`;
}
var diskBytes = (value) => bytes(value, DECIMAL);
function scalar(field, type, value) {
  if (value === null || value === void 0) return "";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (type === "DateTime") return time(String(value));
  if (typeof value === "number") {
    if (/Bps$/.test(field)) return rate(value);
    if (/Bytes$/.test(field)) return bytes(value);
    return type === "Revision" ? String(value) : number(value);
  }
  if (type === "Labels" || type === "TextMap") return Object.entries(value).map(([key, it]) => `${key}=${it}`).join(" ");
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
var TURNS = /[\u0590-\u08ff\u200f\u202a-\u202e\u2066-\u2069\ufb1d-\ufdff\ufe70-\ufefc]/;
var isolated = (name) => TURNS.test(name) ? `\u2068${name.replace(/[\u2066-\u2069]/g, "")}\u2069` : name;
function joined(names) {
  const there = names.filter(Boolean).map(String);
  return there.length > 1 ? there.map(isolated).join(" \xB7 ") : there.join("");
}
function upright(sentence) {
  return sentence.replace(/[\u202a-\u202e\u2066-\u2069]/g, (it) => `\\u{${it.charCodeAt(0).toString(16)}}`);
}

// src/parts/drop.ts
function onDrop(take3) {
  const holds = (event) => event.dataTransfer?.types.includes("Files") ?? false;
  window.addEventListener("dragover", (event) => {
    if (holds(event)) event.preventDefault();
  });
  window.addEventListener("drop", (event) => {
    if (!holds(event)) return;
    event.preventDefault();
    take3([...event.dataTransfer?.files ?? []]);
  });
}
function chooseFiles(take3) {
  const input = document.createElement("input");
  input.type = "file";
  input.multiple = true;
  input.accept = ".yaml,.yml,.json,.jsonl,.ndjson,.csv";
  input.addEventListener("change", () => take3([...input.files ?? []]));
  input.click();
}

// src/parts/menu.tsx
function Menu({ label, title, children, opener, class: name }) {
  const id = P2();
  const box = T2(null);
  const button = T2(null);
  const [open, setOpen] = d2(false);
  const place = () => {
    if (!box.current || !button.current) return;
    const at = button.current.getBoundingClientRect();
    const room = document.documentElement.clientWidth - box.current.offsetWidth - 8;
    box.current.style.left = `${Math.max(8, Math.min(at.left, room))}px`;
    box.current.style.top = `${at.bottom + 4}px`;
    box.current.style.maxHeight = `${Math.max(120, document.documentElement.clientHeight - at.bottom - 16)}px`;
    if (!box.current.contains(document.activeElement)) box.current.querySelector("input, select, button, a")?.focus();
  };
  A2(() => {
    if (!open || !box.current) return void 0;
    const observer = new ResizeObserver(place);
    observer.observe(box.current);
    return () => observer.disconnect();
  }, [open]);
  if (opener) opener.open = () => box.current?.showPopover();
  return /* @__PURE__ */ a4($, { children: [
    /* @__PURE__ */ a4("button", { type: "button", class: name, ref: button, popovertarget: id, "aria-haspopup": "dialog", title, children: label }),
    /* @__PURE__ */ a4("div", { id, ref: box, popover: "auto", class: "menu", role: "dialog", "aria-label": title, onToggle: (event) => setOpen(event.newState === "open"), children: open && children(() => {
      box.current?.hidePopover();
      button.current?.focus();
    }) })
  ] });
}

// src/parts/toast.tsx
var toasts = y3([]);
var SHOWN_MS = 8e3;
var last = 0;
function say(text, action) {
  last += 1;
  const id = last;
  toasts.value = [...toasts.value, { id, text, ...action ? { action } : {} }];
  setTimeout(() => {
    toasts.value = toasts.value.filter((it) => it.id !== id);
  }, SHOWN_MS);
}
function Toasts() {
  return /* @__PURE__ */ a4("div", { class: "toasts", role: "status", children: toasts.value.map((it) => /* @__PURE__ */ a4("div", { class: "toast", children: [
    /* @__PURE__ */ a4("span", { children: it.text }),
    it.action && /* @__PURE__ */ a4("button", { type: "button", onClick: it.action.run, children: it.action.title })
  ] }, it.id)) });
}

// src/server/who.ts
var KEPT = "underlay-token";
var session = y3(null);
var token = y3(sessionStorage.getItem(KEPT) ?? "");
var tokenNeeded = y3(false);
var ended = y3(false);
var signInError = y3(null);
var refresh;
async function enter() {
  const response = await fetch("/console/session", { headers: { accept: "application/json" } });
  const it = response.ok && response.headers.get("content-type")?.includes("json") ? await response.json() : { version: "", way: "token" };
  session.value = it;
  if (it.way === "local") token.value = it.token;
  if (it.way === "oidc") await comeBack(it.oidc);
  tokenNeeded.value = (it.way === "token" || it.way === "oidc") && !token.value;
}
async function comeBack(oidc) {
  const address = new URL(location.href);
  if (!address.searchParams.has("state")) return;
  try {
    const it = await (await import("./login.js")).finish(oidc, address);
    history.replaceState(null, "", it?.back ?? "/");
    if (!it) return;
    token.value = it.token;
    refresh = it.refresh;
  } catch (error) {
    history.replaceState(null, "", "/");
    signInError.value = error instanceof Error ? error.message : String(error);
  }
}
async function signIn(oidc) {
  try {
    await (await import("./login.js")).begin(oidc);
  } catch (error) {
    signInError.value = error instanceof Error ? error.message : String(error);
  }
}
function bring(brought) {
  sessionStorage.setItem(KEPT, brought);
  token.value = brought;
  tokenNeeded.value = false;
}
var SETTINGS = ["underlay-theme", "underlay-keys", "underlay-rack-size"];
function leave() {
  sessionStorage.clear();
  for (const key of Object.keys(localStorage)) if (key.startsWith("underlay-") && !SETTINGS.includes(key)) localStorage.removeItem(key);
  location.assign("/");
}
var renewing = null;
function refused() {
  renewing ??= renew().finally(() => {
    renewing = null;
  });
  return renewing;
}
async function renew() {
  const it = session.value;
  const before = token.value;
  if (it?.way === "local") {
    await enter();
    return token.value !== "" && token.value !== before;
  }
  if (it?.way === "oidc" && refresh) {
    const old = refresh;
    refresh = void 0;
    try {
      const renewed2 = await (await import("./login.js")).renew(it.oidc, old);
      [token.value, refresh] = [renewed2.token, renewed2.refresh];
      return true;
    } catch {
    }
  }
  ended.value = before !== "";
  tokenNeeded.value = true;
  return false;
}

// src/server/ask.ts
var revision = y3(0);
var reached = y3(true);
var written = 0;
var TIMEOUT_MS = 6e4;
function seen(number2) {
  if (number2 && number2 > revision.value) revision.value = number2;
}
function wrote(number2) {
  if (number2 && number2 > written) written = number2;
  seen(number2);
}
function forgetRevisions(now) {
  written = 0;
  revision.value = now;
}
async function send(document2, variables, abort) {
  const headers = {
    "content-type": "application/json",
    accept: "application/graphql-response+json, application/json;q=0.9"
  };
  if (token.value) headers.authorization = `Bearer ${token.value}`;
  const signals = [AbortSignal.timeout(TIMEOUT_MS), ...abort ? [abort] : []];
  const extensions = written ? { minRevision: written } : void 0;
  try {
    const body = JSON.stringify({ query: document2, variables, extensions });
    const response = await fetch("/graphql", { method: "POST", headers, body, signal: AbortSignal.any(signals) });
    reached.value = true;
    return response;
  } catch (error) {
    if (abort?.aborted) throw new Refused("ABORTED", "The request is no longer needed.");
    reached.value = false;
    throw new Refused("NETWORK", error instanceof Error && error.name === "TimeoutError" ? `The server did not answer within ${TIMEOUT_MS / 1e3} seconds.` : "The server cannot be reached.");
  }
}
async function ask(document2, variables, abort) {
  let response = await send(document2, variables, abort);
  if (response.status === 401 && await refused()) response = await send(document2, variables, abort);
  let body;
  try {
    body = await response.json();
  } catch {
    if (response.status >= 500) reached.value = false;
    throw new Refused(response.status === 401 ? "UNAUTHENTICATED" : "UNAVAILABLE", `The server answered with status ${response.status}.`);
  }
  seen(body.extensions?.revision);
  const error = body.errors?.[0];
  if (error) throw new Refused(String(error.extensions?.code ?? "INVALID"), upright(error.message), error.extensions);
  return { data: body.data, revision: body.extensions?.revision ?? 0 };
}

// node_modules/graphql-ws/dist/common-CGW11Fyb.js
function extendedTypeof(val) {
  if (val === null) {
    return "null";
  }
  if (Array.isArray(val)) {
    return "array";
  }
  return typeof val;
}
function isObject(val) {
  return extendedTypeof(val) === "object";
}
function areGraphQLFormattedErrors(obj) {
  return Array.isArray(obj) && // must be at least one error
  obj.length > 0 && // error has at least a message
  obj.every((ob) => "message" in ob);
}
function limitCloseReason(reason, whenTooLong) {
  return reason.length < 124 ? reason : whenTooLong;
}
var GRAPHQL_TRANSPORT_WS_PROTOCOL = "graphql-transport-ws";
var CloseCode = /* @__PURE__ */ ((CloseCode2) => {
  CloseCode2[CloseCode2["InternalServerError"] = 4500] = "InternalServerError";
  CloseCode2[CloseCode2["InternalClientError"] = 4005] = "InternalClientError";
  CloseCode2[CloseCode2["BadRequest"] = 4400] = "BadRequest";
  CloseCode2[CloseCode2["BadResponse"] = 4004] = "BadResponse";
  CloseCode2[CloseCode2["Unauthorized"] = 4401] = "Unauthorized";
  CloseCode2[CloseCode2["Forbidden"] = 4403] = "Forbidden";
  CloseCode2[CloseCode2["SubprotocolNotAcceptable"] = 4406] = "SubprotocolNotAcceptable";
  CloseCode2[CloseCode2["ConnectionInitialisationTimeout"] = 4408] = "ConnectionInitialisationTimeout";
  CloseCode2[CloseCode2["ConnectionAcknowledgementTimeout"] = 4504] = "ConnectionAcknowledgementTimeout";
  CloseCode2[CloseCode2["SubscriberAlreadyExists"] = 4409] = "SubscriberAlreadyExists";
  CloseCode2[CloseCode2["TooManyInitialisationRequests"] = 4429] = "TooManyInitialisationRequests";
  return CloseCode2;
})(CloseCode || {});
var MessageType = /* @__PURE__ */ ((MessageType2) => {
  MessageType2["ConnectionInit"] = "connection_init";
  MessageType2["ConnectionAck"] = "connection_ack";
  MessageType2["Ping"] = "ping";
  MessageType2["Pong"] = "pong";
  MessageType2["Subscribe"] = "subscribe";
  MessageType2["Next"] = "next";
  MessageType2["Error"] = "error";
  MessageType2["Complete"] = "complete";
  return MessageType2;
})(MessageType || {});
function validateMessage(val) {
  if (!isObject(val)) {
    throw new Error(
      `Message is expected to be an object, but got ${extendedTypeof(val)}`
    );
  }
  if (!val.type) {
    throw new Error(`Message is missing the 'type' property`);
  }
  if (typeof val.type !== "string") {
    throw new Error(
      `Message is expects the 'type' property to be a string, but got ${extendedTypeof(
        val.type
      )}`
    );
  }
  switch (val.type) {
    case "connection_init":
    case "connection_ack":
    case "ping":
    case "pong": {
      if (val.payload != null && !isObject(val.payload)) {
        throw new Error(
          `"${val.type}" message expects the 'payload' property to be an object or nullish or missing, but got "${val.payload}"`
        );
      }
      break;
    }
    case "subscribe": {
      if (typeof val.id !== "string") {
        throw new Error(
          `"${val.type}" message expects the 'id' property to be a string, but got ${extendedTypeof(
            val.id
          )}`
        );
      }
      if (!val.id) {
        throw new Error(
          `"${val.type}" message requires a non-empty 'id' property`
        );
      }
      if (!isObject(val.payload)) {
        throw new Error(
          `"${val.type}" message expects the 'payload' property to be an object, but got ${extendedTypeof(
            val.payload
          )}`
        );
      }
      if (typeof val.payload.query !== "string") {
        throw new Error(
          `"${val.type}" message payload expects the 'query' property to be a string, but got ${extendedTypeof(
            val.payload.query
          )}`
        );
      }
      if (val.payload.variables != null && !isObject(val.payload.variables)) {
        throw new Error(
          `"${val.type}" message payload expects the 'variables' property to be a an object or nullish or missing, but got ${extendedTypeof(
            val.payload.variables
          )}`
        );
      }
      if (val.payload.operationName != null && extendedTypeof(val.payload.operationName) !== "string") {
        throw new Error(
          `"${val.type}" message payload expects the 'operationName' property to be a string or nullish or missing, but got ${extendedTypeof(
            val.payload.operationName
          )}`
        );
      }
      if (val.payload.extensions != null && !isObject(val.payload.extensions)) {
        throw new Error(
          `"${val.type}" message payload expects the 'extensions' property to be a an object or nullish or missing, but got ${extendedTypeof(
            val.payload.extensions
          )}`
        );
      }
      break;
    }
    case "next": {
      if (typeof val.id !== "string") {
        throw new Error(
          `"${val.type}" message expects the 'id' property to be a string, but got ${extendedTypeof(
            val.id
          )}`
        );
      }
      if (!val.id) {
        throw new Error(
          `"${val.type}" message requires a non-empty 'id' property`
        );
      }
      if (!isObject(val.payload)) {
        throw new Error(
          `"${val.type}" message expects the 'payload' property to be an object, but got ${extendedTypeof(
            val.payload
          )}`
        );
      }
      break;
    }
    case "error": {
      if (typeof val.id !== "string") {
        throw new Error(
          `"${val.type}" message expects the 'id' property to be a string, but got ${extendedTypeof(
            val.id
          )}`
        );
      }
      if (!val.id) {
        throw new Error(
          `"${val.type}" message requires a non-empty 'id' property`
        );
      }
      if (!areGraphQLFormattedErrors(val.payload)) {
        throw new Error(
          `"${val.type}" message expects the 'payload' property to be an array of GraphQL errors, but got ${JSON.stringify(
            val.payload
          )}`
        );
      }
      break;
    }
    case "complete": {
      if (typeof val.id !== "string") {
        throw new Error(
          `"${val.type}" message expects the 'id' property to be a string, but got ${extendedTypeof(
            val.id
          )}`
        );
      }
      if (!val.id) {
        throw new Error(
          `"${val.type}" message requires a non-empty 'id' property`
        );
      }
      break;
    }
    default:
      throw new Error(`Invalid message 'type' property "${val.type}"`);
  }
  return val;
}
function parseMessage(data, reviver) {
  return validateMessage(
    typeof data === "string" ? JSON.parse(data, reviver) : data
  );
}
function stringifyMessage(msg, replacer) {
  validateMessage(msg);
  return JSON.stringify(msg, replacer);
}

// node_modules/graphql-ws/dist/client.js
function createClient(options) {
  const {
    url: url2,
    connectionParams,
    lazy: lazy2 = true,
    onNonLazyError = console.error,
    lazyCloseTimeout: lazyCloseTimeoutMs = 0,
    keepAlive = 0,
    disablePong,
    connectionAckWaitTimeout = 0,
    retryAttempts = 5,
    retryWait = async function randomisedExponentialBackoff(retries2) {
      const retryDelaySeconds = Math.pow(2, retries2);
      await new Promise(
        (resolve) => setTimeout(
          resolve,
          retryDelaySeconds * 1e3 + // add random timeout from 300ms to 3s
          Math.floor(Math.random() * (3e3 - 300) + 300)
        )
      );
    },
    shouldRetry = isLikeCloseEvent,
    on,
    webSocketImpl,
    /**
     * Generates a v4 UUID to be used as the ID using `Math`
     * as the random number generator. Supply your own generator
     * in case you need more uniqueness.
     *
     * Reference: https://gist.github.com/jed/982883
     */
    generateID = function generateUUID() {
      return "xxxxxxxx-xxxx-4xxx-yxxx-xxxxxxxxxxxx".replace(/[xy]/g, (c4) => {
        const r4 = Math.random() * 16 | 0, v4 = c4 == "x" ? r4 : r4 & 3 | 8;
        return v4.toString(16);
      });
    },
    jsonMessageReplacer: replacer,
    jsonMessageReviver: reviver
  } = options;
  let ws;
  if (webSocketImpl) {
    if (!isWebSocket(webSocketImpl)) {
      throw new Error("Invalid WebSocket implementation provided");
    }
    ws = webSocketImpl;
  } else if (typeof WebSocket !== "undefined") {
    ws = WebSocket;
  } else if (typeof global !== "undefined") {
    ws = global.WebSocket || // @ts-expect-error: Support more browsers
    global.MozWebSocket;
  } else if (typeof window !== "undefined") {
    ws = window.WebSocket || // @ts-expect-error: Support more browsers
    window.MozWebSocket;
  }
  if (!ws)
    throw new Error(
      "WebSocket implementation missing; on Node you can `import WebSocket from 'ws';` and pass `webSocketImpl: WebSocket` to `createClient`"
    );
  const WebSocketImpl = ws;
  const emitter = (() => {
    const message = /* @__PURE__ */ (() => {
      const listeners22 = {};
      return {
        on(id, listener) {
          listeners22[id] = listener;
          return () => {
            delete listeners22[id];
          };
        },
        emit(message2) {
          if ("id" in message2) listeners22[message2.id]?.(message2);
        }
      };
    })();
    const listeners2 = {
      connecting: on?.connecting ? [on.connecting] : [],
      opened: on?.opened ? [on.opened] : [],
      connected: on?.connected ? [on.connected] : [],
      ping: on?.ping ? [on.ping] : [],
      pong: on?.pong ? [on.pong] : [],
      message: on?.message ? [message.emit, on.message] : [message.emit],
      closed: on?.closed ? [on.closed] : [],
      error: on?.error ? [on.error] : []
    };
    return {
      onMessage: message.on,
      on(event, listener) {
        const l4 = listeners2[event];
        l4.push(listener);
        return () => {
          const i4 = l4.indexOf(listener);
          if (i4 > -1) {
            l4.splice(i4, 1);
          }
        };
      },
      emit(event, ...args) {
        for (const listener of [...listeners2[event]]) {
          listener(...args);
        }
      }
    };
  })();
  function errorOrClosed(cb) {
    const listening = [
      // errors are fatal and more critical than close events, throw them first
      emitter.on("error", (err) => {
        listening.forEach((unlisten) => unlisten());
        cb(err);
      }),
      // closes can be graceful and not fatal, throw them second (if error didnt throw)
      emitter.on("closed", (event) => {
        listening.forEach((unlisten) => unlisten());
        cb(event);
      })
    ];
    return () => listening.forEach((unlisten) => unlisten());
  }
  let connecting, locks = 0, lazyCloseTimeout, retrying = false, retries = 0, disposed = false;
  async function connect() {
    clearTimeout(lazyCloseTimeout);
    const [socket2, throwOnClose] = await (connecting ?? (connecting = new Promise(
      (connected2, denied) => (async () => {
        if (retrying) {
          await retryWait(retries);
          if (!locks) {
            connecting = void 0;
            return denied({ code: 1e3, reason: "All Subscriptions Gone" });
          }
          retries++;
        }
        emitter.emit("connecting", retrying);
        const socket22 = new WebSocketImpl(
          typeof url2 === "function" ? await url2() : url2,
          GRAPHQL_TRANSPORT_WS_PROTOCOL
        );
        let connectionAckTimeout, queuedPing;
        function enqueuePing() {
          if (isFinite(keepAlive) && keepAlive > 0) {
            clearTimeout(queuedPing);
            queuedPing = setTimeout(() => {
              if (socket22.readyState === WebSocketImpl.OPEN) {
                socket22.send(stringifyMessage({ type: MessageType.Ping }));
                emitter.emit("ping", false, void 0);
              }
            }, keepAlive);
          }
        }
        errorOrClosed((errOrEvent) => {
          connecting = void 0;
          clearTimeout(connectionAckTimeout);
          clearTimeout(queuedPing);
          denied(errOrEvent);
          if (errOrEvent instanceof TerminatedCloseEvent) {
            socket22.close(4499, "Terminated");
            socket22.onerror = null;
            socket22.onclose = null;
          }
        });
        socket22.onerror = (err) => emitter.emit("error", err);
        socket22.onclose = (event) => emitter.emit("closed", event);
        socket22.onopen = async () => {
          try {
            emitter.emit("opened", socket22);
            const payload = typeof connectionParams === "function" ? await connectionParams() : connectionParams;
            if (socket22.readyState !== WebSocketImpl.OPEN) return;
            socket22.send(
              stringifyMessage(
                payload ? {
                  type: MessageType.ConnectionInit,
                  payload
                } : {
                  type: MessageType.ConnectionInit
                  // payload is completely absent if not provided
                },
                replacer
              )
            );
            if (isFinite(connectionAckWaitTimeout) && connectionAckWaitTimeout > 0) {
              connectionAckTimeout = setTimeout(() => {
                socket22.close(
                  CloseCode.ConnectionAcknowledgementTimeout,
                  "Connection acknowledgement timeout"
                );
              }, connectionAckWaitTimeout);
            }
            enqueuePing();
          } catch (err) {
            emitter.emit("error", err);
            socket22.close(
              CloseCode.InternalClientError,
              limitCloseReason(
                err instanceof Error ? err.message : String(err),
                "Internal client error"
              )
            );
          }
        };
        let acknowledged = false;
        socket22.onmessage = ({ data }) => {
          try {
            const message = parseMessage(data, reviver);
            emitter.emit("message", message);
            if (message.type === "ping" || message.type === "pong") {
              emitter.emit(message.type, true, message.payload);
              if (message.type === "pong") {
                enqueuePing();
              } else if (!disablePong) {
                socket22.send(
                  stringifyMessage(
                    message.payload ? {
                      type: MessageType.Pong,
                      payload: message.payload
                    } : {
                      type: MessageType.Pong
                      // payload is completely absent if not provided
                    },
                    replacer
                  )
                );
                emitter.emit("pong", false, message.payload);
              }
              return;
            }
            if (acknowledged) return;
            if (message.type !== MessageType.ConnectionAck)
              throw new Error(
                `First message cannot be of type ${message.type}`
              );
            clearTimeout(connectionAckTimeout);
            acknowledged = true;
            emitter.emit("connected", socket22, message.payload, retrying);
            retrying = false;
            retries = 0;
            const throwOnClose2 = new Promise(
              (_4, reject) => errorOrClosed(reject)
            );
            throwOnClose2.catch(() => {
            });
            connected2([socket22, throwOnClose2]);
          } catch (err) {
            socket22.onmessage = null;
            emitter.emit("error", err);
            socket22.close(
              CloseCode.BadResponse,
              limitCloseReason(
                err instanceof Error ? err.message : String(err),
                "Bad response"
              )
            );
          }
        };
      })()
    )));
    if (socket2.readyState === WebSocketImpl.CLOSING) await throwOnClose;
    let release = () => {
    };
    const released = new Promise((resolve) => release = resolve);
    return [
      socket2,
      release,
      // resolves on release or rejects on error/close, whichever comes first.
      // not racing with throwOnClose on purpose, it lives as long as the socket
      // and every race would leak memory per operation
      new Promise((resolve, reject) => {
        const unlisten = errorOrClosed(reject);
        if (socket2.readyState !== WebSocketImpl.OPEN)
          throwOnClose.catch(reject);
        released.then(() => {
          unlisten();
          if (!locks) {
            const complete = () => socket2.close(1e3, "Normal Closure");
            if (isFinite(lazyCloseTimeoutMs) && lazyCloseTimeoutMs > 0) {
              clearTimeout(lazyCloseTimeout);
              lazyCloseTimeout = setTimeout(() => {
                if (!locks && socket2.readyState === WebSocketImpl.OPEN)
                  complete();
              }, lazyCloseTimeoutMs);
            } else {
              complete();
            }
          }
          resolve();
        });
      })
    ];
  }
  function shouldRetryConnectOrThrow(errOrCloseEvent) {
    if (isLikeCloseEvent(errOrCloseEvent) && (isFatalInternalCloseCode(errOrCloseEvent.code) || [
      CloseCode.InternalServerError,
      CloseCode.InternalClientError,
      CloseCode.BadRequest,
      CloseCode.BadResponse,
      CloseCode.Unauthorized,
      // CloseCode.Forbidden, might grant access out after retry
      CloseCode.SubprotocolNotAcceptable,
      // CloseCode.ConnectionInitialisationTimeout, might not time out after retry
      // CloseCode.ConnectionAcknowledgementTimeout, might not time out after retry
      CloseCode.SubscriberAlreadyExists,
      CloseCode.TooManyInitialisationRequests
      // 4499, // Terminated, probably because the socket froze, we want to retry
    ].includes(errOrCloseEvent.code)))
      throw errOrCloseEvent;
    if (disposed) return false;
    if (isLikeCloseEvent(errOrCloseEvent) && errOrCloseEvent.code === 1e3)
      return locks > 0;
    if (!retryAttempts || retries >= retryAttempts) throw errOrCloseEvent;
    if (!shouldRetry(errOrCloseEvent)) throw errOrCloseEvent;
    return retrying = true;
  }
  if (!lazy2) {
    (async () => {
      locks++;
      for (; ; ) {
        try {
          const [, , throwOnClose] = await connect();
          await throwOnClose;
        } catch (errOrCloseEvent) {
          try {
            if (!shouldRetryConnectOrThrow(errOrCloseEvent)) return;
          } catch (errOrCloseEvent2) {
            return onNonLazyError?.(errOrCloseEvent2);
          }
        }
      }
    })();
  }
  function subscribe2(payload, sink) {
    const id = generateID(payload);
    let done = false, errored = false, releaser = () => {
      locks--;
      done = true;
    };
    (async () => {
      locks++;
      for (; ; ) {
        try {
          const [socket2, release, waitForReleaseOrThrowOnClose] = await connect();
          if (done) {
            waitForReleaseOrThrowOnClose.catch(() => {
            });
            return release();
          }
          const unlisten = emitter.onMessage(id, (message) => {
            switch (message.type) {
              case MessageType.Next: {
                sink.next(message.payload);
                return;
              }
              case MessageType.Error: {
                errored = true, done = true;
                sink.error(message.payload);
                releaser();
                return;
              }
              case MessageType.Complete: {
                done = true;
                releaser();
                return;
              }
            }
          });
          socket2.send(
            stringifyMessage(
              {
                id,
                type: MessageType.Subscribe,
                payload
              },
              replacer
            )
          );
          releaser = () => {
            if (!done && socket2.readyState === WebSocketImpl.OPEN)
              socket2.send(
                stringifyMessage(
                  {
                    id,
                    type: MessageType.Complete
                  },
                  replacer
                )
              );
            locks--;
            done = true;
            release();
          };
          await waitForReleaseOrThrowOnClose.finally(unlisten);
          return;
        } catch (errOrCloseEvent) {
          if (!shouldRetryConnectOrThrow(errOrCloseEvent)) return;
        }
      }
    })().then(() => {
      if (!errored) sink.complete();
    }).catch((err) => {
      sink.error(err);
    });
    return () => {
      if (!done) releaser();
    };
  }
  return {
    on: emitter.on,
    subscribe: subscribe2,
    iterate(request) {
      const pending2 = [];
      const deferred = {
        done: false,
        error: null,
        resolve: () => {
        }
      };
      const dispose = subscribe2(request, {
        next(val) {
          pending2.push(val);
          deferred.resolve();
        },
        error(err) {
          deferred.done = true;
          deferred.error = err;
          deferred.resolve();
        },
        complete() {
          deferred.done = true;
          deferred.resolve();
        }
      });
      const iterator = (async function* iterator2() {
        for (; ; ) {
          if (!pending2.length) {
            await new Promise((resolve) => deferred.resolve = resolve);
          }
          while (pending2.length) {
            yield pending2.shift();
          }
          if (deferred.error) {
            throw deferred.error;
          }
          if (deferred.done) {
            return;
          }
        }
      })();
      iterator.throw = async (err) => {
        if (!deferred.done) {
          deferred.done = true;
          deferred.error = err;
          deferred.resolve();
        }
        return { done: true, value: void 0 };
      };
      iterator.return = async () => {
        dispose();
        return { done: true, value: void 0 };
      };
      return iterator;
    },
    async dispose() {
      disposed = true;
      if (connecting) {
        const [socket2] = await connecting;
        socket2.close(1e3, "Normal Closure");
      }
    },
    terminate() {
      if (connecting) {
        emitter.emit("closed", new TerminatedCloseEvent());
      }
    }
  };
}
var TerminatedCloseEvent = class extends Error {
  name = "TerminatedCloseEvent";
  message = "4499: Terminated";
  code = 4499;
  reason = "Terminated";
  wasClean = false;
};
function isLikeCloseEvent(val) {
  return isObject(val) && "code" in val && "reason" in val;
}
function isFatalInternalCloseCode(code) {
  if ([
    1e3,
    // Normal Closure is not an erroneous close code
    1001,
    // Going Away
    1006,
    // Abnormal Closure
    1005,
    // No Status Received
    1012,
    // Service Restart
    1013,
    // Try Again Later
    1014
    // Bad Gateway
  ].includes(code))
    return false;
  return code >= 1e3 && code <= 1999;
}
function isWebSocket(val) {
  return typeof val === "function" && "constructor" in val && "CLOSED" in val && "CLOSING" in val && "CONNECTING" in val && "OPEN" in val;
}

// src/server/socket.ts
var LONGEST_WAIT_MS = 15e3;
var SHORTEST_WAIT_MS = 250;
var UNAUTHORIZED = [4401, 4403];
var opened = false;
var renewed = Promise.resolve();
function renew2() {
  renewed = refused().catch(() => {
  });
}
var socket = createClient({
  url: async () => {
    await renewed;
    return `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/graphql/ws`;
  },
  lazy: true,
  retryAttempts: 0,
  keepAlive: 15e3,
  connectionParams: () => token.value ? { authorization: `Bearer ${token.value}` } : {},
  on: {
    connected: () => {
      opened = true;
    },
    closed: (event) => {
      opened = false;
      if (UNAUTHORIZED.includes(event.code)) renew2();
    }
  }
});
var isOpen = () => opened;
var onOpen = (listener) => socket.on("connected", listener);
function subscribe(query, variables, next) {
  let stop = () => {
  };
  const ended2 = new Promise((done) => {
    const fail = (errors) => {
      done({ errors });
      if (errors[0]?.extensions?.code === "UNAUTHENTICATED") {
        renew2();
        socket.terminate();
      }
    };
    stop = socket.subscribe({ query, variables }, {
      next: (it) => {
        if (it.errors) {
          stop();
          fail(it.errors);
        } else if (it.data) next(it.data);
      },
      error: (it) => {
        if (Array.isArray(it)) fail(it);
        else done({});
      },
      complete: () => done({})
    });
  });
  return { ended: ended2, stop: () => stop() };
}
function pause(failures2) {
  const wait = Math.min(LONGEST_WAIT_MS, SHORTEST_WAIT_MS * 2 ** Math.min(failures2, 6));
  return new Promise((done) => {
    const end = () => {
      clearTimeout(timer2);
      window.removeEventListener("online", end);
      unlisten();
      done();
    };
    const timer2 = setTimeout(end, wait / 2 + Math.random() * wait / 2);
    window.addEventListener("online", end);
    const unlisten = onOpen(end);
  });
}

// src/server/live.ts
var state = y3("starting");
var cut = y3(false);
var lastEvent = y3(0);
var notice = y3(null);
var listeners = /* @__PURE__ */ new Set();
function onEvents(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
var DOCUMENT = `subscription Follow($after: ChangeCursor) {
  changes(after: $after) { type cursor revision at kind objectId name }
}`;
var BATCH_MS = 60;
var cursor = null;
var held = [];
var timer;
var failures = 0;
function deliver() {
  timer = void 0;
  const events = held;
  held = [];
  for (const listener of [...listeners]) listener(events);
}
function everything() {
  held = [];
  for (const listener of [...listeners]) listener("everything");
}
function take(event) {
  cursor = event.cursor;
  state.value = "live";
  failures = 0;
  lastEvent.value = Date.now();
  seen(event.revision);
  if (event.type === "PROGRESS") return;
  held.push(event);
  timer ??= setTimeout(deliver, BATCH_MS);
}
async function beginAnew(why) {
  forgetRevisions(0);
  const answer = await ask("{ revision }");
  cursor = String(answer.revision);
  wrote(answer.revision);
  notice.value = why;
  everything();
}
function connected() {
  state.value = "live";
  cut.value = false;
  reached.value = true;
}
async function live() {
  cursor = String(revision.value);
  onOpen(connected);
  for (; ; ) {
    const { ended: ended2 } = subscribe(DOCUMENT, { after: cursor }, (it) => take(it.changes));
    if (isOpen()) connected();
    const { errors } = await ended2;
    state.value = "away";
    failures += 1;
    cut.value = failures > 1;
    if (errors?.[0]?.extensions?.code === "REVISION_COMPACTED") {
      try {
        await beginAnew("The server no longer holds the changes since this page was last connected. Everything was read again.");
        continue;
      } catch {
      }
    }
    await pause(failures);
  }
}

// src/store/kept.ts
var KEPT2 = "underlay-review";
var review = y3(kept());
function kept() {
  try {
    return JSON.parse(sessionStorage.getItem(KEPT2) ?? "null");
  } catch {
    return null;
  }
}
function keep(it) {
  review.value = it;
  try {
    if (it) sessionStorage.setItem(KEPT2, JSON.stringify(it));
    else sessionStorage.removeItem(KEPT2);
  } catch {
    sessionStorage.removeItem(KEPT2);
  }
}
window.addEventListener("beforeunload", (event) => {
  if (review.value?.sent) event.preventDefault();
});

// src/parts/value.tsx
var TONES = {
  ACTIVE: "good",
  CONNECTED: "good",
  READY: "good",
  UP: "good",
  ON: "good",
  HEALTHY: "good",
  OK: "good",
  PASSED: "good",
  SUCCEEDED: "good",
  IN_USE: "good",
  PLANNED: "plan",
  STAGED: "plan",
  INSTALLING: "plan",
  RUNNING: "plan",
  RESERVED: "plan",
  CREATED: "good",
  UPDATED: "plan",
  AVAILABLE: "good",
  INSTALLED: "good",
  ACQUIRED: "plan",
  DISCOVERING: "plan",
  RELEASING: "plan",
  WIPING: "plan",
  FRESH: "good",
  STALE: "warn",
  FACTS_STALE: "warn",
  FAILING: "bad",
  DISK_FAILING: "bad",
  MEMORY_ERRORS: "bad",
  HARDWARE_MISSING: "warn",
  CABLING_MISMATCH: "warn",
  PAUSED: "off",
  ABANDONED: "warn",
  CANCELLED: "off",
  OFFLINE: "off",
  RETIRED: "off",
  OFF: "off",
  DECOMMISSIONING: "off",
  UNKNOWN: "off",
  UNCHANGED: "off",
  NEVER: "off",
  FAILED: "bad",
  BROKEN: "bad",
  BEHIND: "bad",
  DELETED: "bad",
  ERROR: "bad",
  LATE: "warn",
  HELD: "warn",
  MAINTENANCE: "warn",
  DEGRADED: "warn"
};
var STATES = /(status|state|health|power|operation|conditions)$/i;
function EnumValue({ field, value }) {
  if (!STATES.test(field)) return /* @__PURE__ */ a4($, { children: enumWords(value) });
  return /* @__PURE__ */ a4("span", { class: `state ${TONES[value] ?? "off"}`, children: enumWords(value) });
}
function Labels({ value }) {
  return /* @__PURE__ */ a4($, { children: Object.entries(value).map(([key, it]) => /* @__PURE__ */ a4("span", { class: "label", children: [
    /* @__PURE__ */ a4("b", { children: key }),
    /* @__PURE__ */ a4("bdi", { children: String(it) })
  ] }, key)) });
}
function nameOf(kind, row) {
  return joined([...parentsOf(kind).map((it) => row[it]?.name), row.name]);
}
function Ref({ row, kind, quiet, own }) {
  const of = kind ?? String(row.__typename ?? "");
  if (!row.name) return /* @__PURE__ */ a4("span", { class: "quiet", children: titleOf2(of) });
  const name = own ? String(row.name) : nameOf(of, row);
  return /* @__PURE__ */ a4("a", { href: pathOf(of, row), tabIndex: quiet ? -1 : void 0, title: name, children: /* @__PURE__ */ a4("bdi", { children: name }) });
}
function Placement({ value, quiet }) {
  const start2 = value.startUnit;
  const height = value.unitHeight ?? 1;
  const units = start2 === null ? "" : height > 1 ? `U${start2}\u2013${start2 + height - 1}` : `U${start2}`;
  const face = `${String(value.face).toLowerCase()}${value.fullDepth ? ", full depth" : ""}`;
  return /* @__PURE__ */ a4("span", { class: "parts", children: [
    /* @__PURE__ */ a4("span", { children: /* @__PURE__ */ a4(Ref, { row: value.rack, kind: "Rack", quiet, own: true }) }),
    units && /* @__PURE__ */ a4("span", { children: units }),
    /* @__PURE__ */ a4("span", { children: face })
  ] });
}
function ValueObject({ of, value, quiet }) {
  if (of === "Placement") return /* @__PURE__ */ a4(Placement, { value, quiet });
  const parts = (VALUES[of] ?? []).filter((it) => value[it.name] !== null && value[it.name] !== void 0 && value[it.name] !== false);
  return /* @__PURE__ */ a4("span", { class: "parts", children: parts.map((it) => /* @__PURE__ */ a4("span", { children: [
    it.is === "scalar" && /* @__PURE__ */ a4("span", { class: "quiet", children: [
      words(it.name),
      " "
    ] }),
    /* @__PURE__ */ a4(Value, { field: it, value: value[it.name], quiet })
  ] }, it.name)) });
}
function Value({ field, value, quiet }) {
  if (value === null || value === void 0 || value === "") return null;
  if (Array.isArray(value)) {
    return /* @__PURE__ */ a4($, { children: value.map((it, at) => /* @__PURE__ */ a4("span", { class: "item", children: /* @__PURE__ */ a4(Value, { field, value: it, quiet }) }, at)) });
  }
  if (field.is === "enum") return /* @__PURE__ */ a4(EnumValue, { field: field.name, value: String(value) });
  if (field.is === "one" || field.is === "union") {
    return /* @__PURE__ */ a4(Ref, { row: value, ...field.is === "one" ? { kind: field.of } : {}, quiet });
  }
  if (field.is === "value") return /* @__PURE__ */ a4(ValueObject, { of: field.of, value, quiet });
  if (field.of === "Labels") return /* @__PURE__ */ a4(Labels, { value });
  if (field.of === "DateTime") return /* @__PURE__ */ a4("time", { dateTime: String(value), children: scalar(field.name, field.of, value) });
  if (field.of === "URL" && /^https?:/.test(String(value))) return /* @__PURE__ */ a4("a", { href: String(value), rel: "noreferrer", target: "_blank", tabIndex: quiet ? -1 : void 0, children: String(value) });
  return /* @__PURE__ */ a4("bdi", { children: scalar(field.name, field.of, value) });
}

// src/store/names.ts
var known = y3(/* @__PURE__ */ new Map());
var gone = y3(/* @__PURE__ */ new Set());
var asked = /* @__PURE__ */ new Set();
var waiting = [];
var AT_ONCE = 500;
var UUID2 = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;
var DOCUMENT2 = `query Names($ids: [ID!]!) { nodes(ids: $ids) { id ${kinds().map((it) => `... on ${it.name} { ${nameSelection(it.name)} }`).join(" ")} } }`;
function nameById(id) {
  if (!asked.has(id)) {
    asked.add(id);
    if (waiting.length === 0) setTimeout(read, 20);
    waiting.push(id);
  }
  return known.value.get(id);
}
function isGone(id) {
  void nameById(id);
  return gone.value.has(id);
}
function nameOfChange(it) {
  const parents = parentsOf(it.kind);
  if (parents.length === 0) return it.name;
  const fields = { ...it.before, ...it.after };
  const names = parents.flatMap((parent) => typeof fields[parent] === "string" ? nameById(fields[parent]) ?? [] : []);
  return nameById(it.objectId) ?? joined([...names, it.name]);
}
function read() {
  const ids = waiting.slice(0, AT_ONCE);
  waiting = waiting.slice(AT_ONCE);
  if (waiting.length > 0) setTimeout(read, 20);
  ask(DOCUMENT2, { ids }).then(({ data }) => {
    const next = new Map(known.value);
    for (const it of data.nodes) if (it) next.set(String(it.id), nameOf(String(it.__typename), it));
    known.value = next;
    const missing = ids.filter((it) => !next.has(it));
    if (missing.length > 0) gone.value = /* @__PURE__ */ new Set([...gone.value, ...missing]);
  }, (error) => refuse(ids, asRefused(error)));
}
function refuse(ids, error) {
  const wrong = error.code === "INVALID" ? ids.filter((it) => !UUID2.test(it)) : [];
  if (wrong.length > 0) gone.value = /* @__PURE__ */ new Set([...gone.value, ...wrong]);
  for (const id of ids) if (!wrong.includes(id)) asked.delete(id);
}

// src/store/overlays.ts
var paletteText = y3(null);
var openPalette = (text = "") => {
  paletteText.value = text;
};
var helpShown = y3(false);
var openHelp = () => {
  helpShown.value = true;
};
var RECENT = "underlay-recent";
var MAX_RECENT = 8;
function remember(it) {
  const before = recent().filter((one) => one.path !== it.path);
  localStorage.setItem(RECENT, JSON.stringify([it, ...before].slice(0, MAX_RECENT)));
}
function recent() {
  try {
    const kept3 = JSON.parse(localStorage.getItem(RECENT) ?? "[]");
    return Array.isArray(kept3) ? kept3 : [];
  } catch {
    return [];
  }
}
var KEPT3 = "underlay-form";
var MAX_WHOLE = 100;
function keepForm(it) {
  try {
    if (!it) return sessionStorage.removeItem(KEPT3);
    const present = it.objects.length > MAX_WHOLE ? it.present?.map(({ id, name, version }) => ({ id, name, version })) : it.present;
    sessionStorage.setItem(KEPT3, JSON.stringify({ ...it, kind: it.kind.name, present }));
  } catch {
    sessionStorage.removeItem(KEPT3);
  }
}
function keptForm() {
  try {
    const it = JSON.parse(sessionStorage.getItem(KEPT3) ?? "null");
    const kind = it && kindOf(it.kind);
    return kind ? { ...it, kind } : null;
  } catch {
    return null;
  }
}
var form = y3(keptForm());
var openForm = (it) => {
  form.value = it;
};

// src/kinds/documents.ts
function rowSelection(kind, columns) {
  const fields = columns.map((it) => fieldOf(kind, it)).filter((it) => it !== void 0);
  return `${nameSelection(kind.name)} version ${fields.map((it) => selectionOf(it)).join(" ")}`;
}
function listDocument({ kind, of }, selection) {
  const skip = HAS.skip ? { declared: ", $skip: Int", given: ", skip: $skip" } : { declared: "", given: "" };
  const args = `filter: $filter, orderBy: $order, first: $first, after: $after, pin: $pin, atRevision: $at${skip.given}`;
  const types = `$filter: ${kind.name}Filter, $order: ${kind.name}Order, $first: Int, $after: String, $pin: Boolean, $at: Revision${skip.declared}`;
  const list = (field) => `rows: ${field}(${args}) { ${selection} }`;
  if (!of) return `query List(${types}) { ${list(kind.list)} }`;
  return `query ListOf($id: ID!, ${types}) { node(id: $id) { ... on ${of.kind} { ${list(of.field)} } } }`;
}
function objectDocument(kind) {
  const fields = columnsOf(kind).map((it) => selectionOf(it)).join(" ");
  return `query Object($id: ID!) { node(id: $id) { ... on ${kind.name} {
    ${nameSelection(kind.name)} attributes managers { field type manager since } ${fields}
  } } }`;
}
var UUID3 = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;
function lookupDocument(kind, rest) {
  if (rest.length === 1 && UUID3.test(rest[0] ?? "")) {
    return { document: `query Find($id: ID!) { found: node(id: $id) { ... on ${kind.name} { id } } }`, variables: { id: rest[0] ?? "" } };
  }
  const key = keyOf(kind.name) ?? [];
  const names = [...key.slice(Math.max(0, key.length - rest.length + 1)), "name"];
  const values = rest.slice(-names.length);
  const variables = Object.fromEntries(names.map((it, at) => [it, values[at] ?? ""]));
  const declared = names.map((it) => `$${it}: String${it === "name" ? "!" : ""}`).join(", ");
  return { document: `query Find(${declared}) { found: ${kind.one}(${names.map((it) => `${it}: $${it}`).join(", ")}) { id } }`, variables };
}
var VIEWER = "{ viewer { actor roles tenant source expires may { field allowed needs } } }";
function facetDocument(source, field) {
  return listDocument(source, `facets(by: ["${field}"]) { counts { value count } more }`);
}

// src/store/viewer.ts
var viewer = y3(null);
async function loadViewer() {
  if (HAS.viewer) viewer.value = (await ask(VIEWER)).data.viewer;
}
function refusal(mutation) {
  const right = viewer.value?.may.find((it) => it.field === `Mutation.${mutation}`);
  if (!right || right.allowed) return void 0;
  const roles = new Intl.ListFormat("en", { type: "disjunction" }).format(right.needs);
  return viewer.value?.tenant ? "Tokens of a tenant only read." : `This needs the role ${roles}.`;
}

// src/store/visible.ts
var waiting2 = /* @__PURE__ */ new Set();
document.addEventListener("visibilitychange", () => {
  if (document.visibilityState !== "visible") return;
  const all = [...waiting2];
  waiting2.clear();
  for (const run of all) run();
});
function whenVisible(run) {
  if (document.visibilityState === "visible") run();
  else waiting2.add(run);
}

// src/store/query.ts
var DROP_MS = 6e4;
var PACE_MS = 1e3;
var RETRY_MS = 3e3;
var Query = class {
  data = y3(null);
  error = y3(null);
  waiting = y3(true);
  users = 0;
  stale = false;
  running = false;
  last = 0;
  timer;
  stopEvents;
  document;
  variables;
  touches;
  constructor(document2, variables, touches) {
    this.document = document2;
    this.variables = variables;
    this.touches = touches;
  }
  open() {
    this.users += 1;
    clearTimeout(this.timer);
    this.stopEvents ??= onEvents((events) => {
      if (events === "everything" || events.some((it) => this.touches(it.kind ?? "", it.objectId ?? ""))) this.mark();
    });
    if (this.data.value === null || this.stale) void this.read();
  }
  close(drop) {
    this.users -= 1;
    if (this.users > 0) return;
    this.timer = setTimeout(() => {
      this.stopEvents?.();
      drop();
    }, DROP_MS);
  }
  /** Reads again soon, if somebody looks. */
  mark() {
    if (this.stale && this.timer) return;
    this.stale = true;
    if (this.users === 0) return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.timer = void 0;
      if (this.users === 0) return;
      whenVisible(this.reread);
    }, Math.max(0, this.last + PACE_MS - Date.now()));
  }
  reread = () => {
    void this.read();
  };
  async read() {
    if (this.running) {
      this.stale = true;
      return;
    }
    this.running = true;
    this.stale = false;
    this.waiting.value = true;
    this.last = Date.now();
    try {
      this.data.value = (await ask(this.document, this.variables)).data;
      this.error.value = null;
    } catch (error) {
      this.error.value = asRefused(error);
      if (remedyOf(this.error.value) === "retry") setTimeout(() => this.mark(), RETRY_MS);
    }
    this.waiting.value = false;
    this.running = false;
    if (this.stale) {
      this.stale = false;
      this.mark();
    }
  }
};
var queries = /* @__PURE__ */ new Map();
function useQuery(text, variables, kinds2) {
  const key = JSON.stringify([text, variables, kinds2]);
  const query = w2(() => {
    const found = queries.get(key);
    if (found) return found;
    const touches = kinds2 === "all" ? () => true : (kind) => kinds2.includes(kind);
    const made = new Query(text, variables, touches);
    queries.set(key, made);
    return made;
  }, [key]);
  A2(() => {
    query.open();
    return () => query.close(() => {
      if (queries.get(key) === query) queries.delete(key);
    });
  }, [query]);
  return query;
}

// src/store/theme.ts
var KEPT4 = "underlay-theme";
var system = matchMedia("(prefers-color-scheme: dark)");
var kept2 = localStorage.getItem(KEPT4);
var chosen = y3(kept2 === "light" || kept2 === "dark" ? kept2 : null);
var bySystem = y3(system.matches ? "dark" : "light");
system.addEventListener("change", () => {
  bySystem.value = system.matches ? "dark" : "light";
});
var theme = {
  get value() {
    return chosen.value ?? bySystem.value;
  }
};
function switchTheme() {
  const next = theme.value === "dark" ? "light" : "dark";
  chosen.value = next;
  localStorage.setItem(KEPT4, next);
}
function startTheme() {
  x2(() => {
    document.documentElement.dataset.theme = theme.value;
  });
}

// src/store/trail.ts
var trail = y3([]);

// src/screens/frame.tsx
var COUNTS = `query Counts(${kinds().map((it) => `$${it.name}: ${it.name}Filter`).join(", ")}) { ${kinds().map((it) => `${it.name}: ${it.list}(filter: $${it.name}, first: 0) { totalCount }`).join(" ")} }`;
var Places = lazy(async () => (await import("./places.js")).Places);
async function take2(files) {
  await (await import("./writes.js")).proposeFiles(files);
}
onDrop(take2);
function Frame({ children }) {
  const copy = () => {
    void navigator.clipboard?.writeText(location.href).then(() => say("The link is copied."), () => say("The browser does not allow copying."));
  };
  const { pathname } = url.value;
  const first = T2(pathname);
  A2(() => {
    if (first.current !== pathname && document.activeElement === document.body) document.getElementById("main")?.focus({ preventScroll: true });
    first.current = "";
  }, [pathname]);
  const within = narrowedTo();
  const gone2 = within !== null && isGone(within);
  useCommands({ files: () => chooseFiles(take2), theme: switchTheme, "copy-link": copy, help: openHelp, actions: () => openPalette(">"), palette: () => openPalette() });
  return /* @__PURE__ */ a4("div", { class: "frame", children: [
    /* @__PURE__ */ a4("a", { class: "skip", href: "#main", onClick: (event) => {
      event.preventDefault();
      document.getElementById("main")?.focus();
    }, children: "Skip to the content" }),
    /* @__PURE__ */ a4("header", { class: "top", children: [
      /* @__PURE__ */ a4("a", { href: "/", class: "logo", "aria-label": "Underlay, home", children: [
        /* @__PURE__ */ a4(Logo, {}),
        /* @__PURE__ */ a4("b", { children: "Underlay" })
      ] }),
      /* @__PURE__ */ a4(Where, {}),
      /* @__PURE__ */ a4(Trail, {}),
      /* @__PURE__ */ a4("span", { class: "grow" }),
      /* @__PURE__ */ a4("button", { type: "button", class: "search", onClick: () => openPalette(), children: [
        /* @__PURE__ */ a4("span", { children: "Search or run a command" }),
        /* @__PURE__ */ a4("kbd", { children: keyWords("Mod+k") })
      ] }),
      /* @__PURE__ */ a4(Waiting, {}),
      /* @__PURE__ */ a4(Live, {}),
      /* @__PURE__ */ a4("button", { type: "button", class: "plain", onClick: switchTheme, title: "Switch between light and dark", "aria-label": `Theme: ${theme.value}. Switch between light and dark`, children: theme.value === "dark" ? "\u263E" : "\u2600" }),
      /* @__PURE__ */ a4("button", { type: "button", class: "plain", onClick: openHelp, title: "Keys of this page", "aria-label": "Keys of this page", children: "?" }),
      /* @__PURE__ */ a4(Who, {})
    ] }),
    /* @__PURE__ */ a4(Kinds, {}),
    /* @__PURE__ */ a4("main", { id: "main", tabIndex: -1, children: [
      notice.value && /* @__PURE__ */ a4("div", { class: "notice", role: "status", children: [
        notice.value,
        " ",
        /* @__PURE__ */ a4("button", { type: "button", onClick: () => {
          notice.value = null;
        }, children: "Good" })
      ] }),
      (cut.value || !reached.value) && /* @__PURE__ */ a4("div", { class: "notice bad", role: "alert", children: "The connection to the server is cut. What is shown may be old; the page mends itself when the server is back." }),
      gone2 && /* @__PURE__ */ a4("div", { class: "notice bad", role: "alert", children: [
        "The place of this address does not exist any more, or you may not see it. So there is nothing in it. ",
        /* @__PURE__ */ a4("button", { type: "button", onClick: () => setParams({ [IN]: null }), children: "Show all places" })
      ] }),
      children
    ] }),
    /* @__PURE__ */ a4(Toasts, {})
  ] });
}
function Logo() {
  return /* @__PURE__ */ a4("svg", { viewBox: "0 0 22 22", "aria-hidden": "true", width: "18", height: "18", children: [
    /* @__PURE__ */ a4("path", { d: "M4 4v8a7 7 0 0 0 14 0V4", fill: "none", stroke: "currentColor", "stroke-width": "3", "stroke-linecap": "round" }),
    /* @__PURE__ */ a4("circle", { cx: "4", cy: "4", r: "2.6", fill: "currentColor" }),
    /* @__PURE__ */ a4("circle", { cx: "18", cy: "4", r: "2.6", fill: "currentColor" })
  ] });
}
function Where() {
  const opener = w2(() => ({}), []);
  const id = narrowedTo();
  const choose = (to) => setParams({ [IN]: to });
  useCommands({ place: () => opener.open?.() });
  return /* @__PURE__ */ a4("span", { class: id ? "where narrowed" : "where", children: [
    /* @__PURE__ */ a4(Menu, { label: /* @__PURE__ */ a4("bdi", { children: id ? nameById(id) ?? (isGone(id) ? "A place that is gone" : "\u2026") : "Everywhere" }), title: "Narrow everything to a place", class: "plain", opener, children: (close) => /* @__PURE__ */ a4(Places, { chosen: id, onChoose: (to) => {
      close();
      choose(to);
    } }) }),
    id && /* @__PURE__ */ a4("button", { type: "button", class: "plain", "aria-label": "Show all places", title: "Show all places", onClick: () => choose(null), children: "\u2715" })
  ] });
}
function Trail() {
  const at = currentRoute.value;
  const steps = trail.value;
  return /* @__PURE__ */ a4("nav", { class: "trail", "aria-label": "Breadcrumb", children: /* @__PURE__ */ a4("ol", { children: [
    at.kind && /* @__PURE__ */ a4("li", { children: /* @__PURE__ */ a4("a", { href: `/${segmentOf(at.kind)}`, children: pluralOf(at.kind.name) }) }),
    steps.map((it) => /* @__PURE__ */ a4("li", { children: /* @__PURE__ */ a4("a", { href: it.path, "aria-current": it.path === url.value.pathname ? "page" : void 0, children: /* @__PURE__ */ a4("bdi", { children: it.name }) }) }, it.path))
  ] }) });
}
function Waiting() {
  const it = review.value;
  if (!it || currentRoute.value.screen === "review") return null;
  const count = it.steps.length;
  return /* @__PURE__ */ a4("a", { class: `button${it.sent ? " danger" : ""}`, href: "/review", title: it.title, children: it.sent ? "A write has no answer" : `Review ${number(count)} ${count === 1 ? "change" : "changes"}` });
}
var STATES2 = { starting: "connecting", live: "live", away: "away: tries to connect again" };
function Live() {
  return /* @__PURE__ */ a4("span", { class: "live", role: "status", title: `The feed is ${STATES2[state.value]}`, children: [
    /* @__PURE__ */ a4("span", { class: `dot ${state.value}`, "aria-hidden": "true" }),
    /* @__PURE__ */ a4("span", { class: "hidden", children: [
      "The feed is ",
      STATES2[state.value],
      ". "
    ] }),
    state.value === "live" ? "" : `${STATES2[state.value].split(":")[0]} \xB7 `,
    /* @__PURE__ */ a4("a", { href: "/changes", children: [
      "revision ",
      revision.value
    ] })
  ] });
}
var WAYS = {
  open: "This server lets everybody in.",
  local: "You run this server, and are signed in as its user.",
  token: "You brought a token; it stays in this tab.",
  oidc: "You are signed in at your issuer."
};
function Who() {
  const it = session.value;
  const me = viewer.value;
  return /* @__PURE__ */ a4(Menu, { label: me?.actor ?? "Me", title: "Who I am", class: "plain", children: () => /* @__PURE__ */ a4("div", { class: "who", children: [
    me && /* @__PURE__ */ a4("p", { children: [
      /* @__PURE__ */ a4("b", { children: /* @__PURE__ */ a4("bdi", { children: me.actor }) }),
      ", ",
      me.roles.join(", ") || "no role",
      me.tenant && /* @__PURE__ */ a4($, { children: [
        ", tenant ",
        /* @__PURE__ */ a4("bdi", { children: me.tenant })
      ] }),
      me.source && /* @__PURE__ */ a4($, { children: [
        ", source ",
        /* @__PURE__ */ a4("bdi", { children: me.source })
      ] })
    ] }),
    /* @__PURE__ */ a4("p", { children: it ? WAYS[it.way] : "Not signed in." }),
    me?.expires && /* @__PURE__ */ a4("p", { class: "quiet", children: [
      "The token is valid until ",
      time(me.expires),
      "."
    ] }),
    it?.version && /* @__PURE__ */ a4("p", { class: "quiet", children: [
      "Server ",
      it.version
    ] }),
    it && it.way !== "local" && it.way !== "open" && /* @__PURE__ */ a4("button", { type: "button", onClick: leave, children: "Sign out" })
  ] }) });
}
function Kinds() {
  const counts = useQuery(COUNTS, Object.fromEntries(kinds().map((it) => [it.name, placeFilter(it.name, narrowedTo())])), "all");
  const at = currentRoute.value.kind?.name;
  return /* @__PURE__ */ a4("nav", { class: "kinds", "aria-label": "Kinds", children: [
    groups().map((group) => /* @__PURE__ */ a4("section", { "aria-label": group.title, children: [
      /* @__PURE__ */ a4("h2", { children: group.title }),
      /* @__PURE__ */ a4("ul", { children: group.kinds.map((it) => /* @__PURE__ */ a4("li", { children: /* @__PURE__ */ a4("a", { href: `/${segmentOf(it)}`, title: `${about(it.name) ?? ""}${narrowedTo() && !isPlaced(it.name) ? " They are in no place, and all are shown." : ""}`, "aria-current": at === it.name ? "page" : void 0, children: [
        /* @__PURE__ */ a4("span", { children: pluralOf(it.name) }),
        /* @__PURE__ */ a4("span", { class: "count", children: number(counts.data.value?.[it.name]?.totalCount ?? 0) })
      ] }) }, it.name)) })
    ] }, group.title)),
    ["What if", "Operation", "History"].map((menu) => {
      const routes = ROUTES.filter((it) => it.menu === menu);
      return routes.length > 0 && /* @__PURE__ */ a4("section", { "aria-label": menu, children: [
        /* @__PURE__ */ a4("h2", { children: menu }),
        /* @__PURE__ */ a4("ul", { children: routes.map((it) => /* @__PURE__ */ a4("li", { children: /* @__PURE__ */ a4("a", { href: it.path, "aria-current": currentRoute.value.screen === it.screen ? "page" : void 0, children: /* @__PURE__ */ a4("span", { children: it.title }) }) }, it.path)) })
      ] }, menu);
    })
  ] });
}

// src/screens/home.tsx
var WITH_STATUS = kinds().filter((it) => it.fields.some((field) => field.name === "status" && field.of === "Status"));
var STANDS = ["FAILED", "PLANNED", "OFFLINE"];
var DOCUMENT3 = `query Home(${WITH_STATUS.map((it) => `$${it.name}: ${it.name}Filter!`).join(", ")}) { ${WITH_STATUS.flatMap((kind) => STANDS.map((it) => `${kind.name}_${it}: ${kind.list}(filter: {and: [{status: {eq: ${it}}}, $${kind.name}]}, first: 0) { totalCount }`)).join(" ")} }`;
var Attention = lazy(async () => (await import("./home-watch.js")).Attention, "over");
var Lately = lazy(async () => (await import("./home-watch.js")).Lately, "over");
var SinglePoints = lazy(async () => (await import("./home-watch.js")).SinglePoints, "over");
var Space = lazy(async () => (await import("./home-watch.js")).Space, "over");
function HomeScreen() {
  const query = useQuery(
    DOCUMENT3,
    Object.fromEntries(WITH_STATUS.map((it) => [it.name, placeFilter(it.name, narrowedTo()) ?? {}])),
    WITH_STATUS.map((it) => it.name)
  );
  return /* @__PURE__ */ a4("section", { class: "page", "aria-label": "Home", children: [
    /* @__PURE__ */ a4("h1", { children: "Home" }),
    query.error.value && /* @__PURE__ */ a4(Failure, { error: query.error.value, again: () => void query.read() }),
    /* @__PURE__ */ a4("div", { class: "cards", children: STANDS.map((stand) => /* @__PURE__ */ a4("section", { class: "card", "aria-label": enumWords(stand), children: [
      /* @__PURE__ */ a4("h2", { children: enumWords(stand) }),
      /* @__PURE__ */ a4("ul", { children: [
        WITH_STATUS.map((kind) => {
          const count = query.data.value?.[`${kind.name}_${stand}`]?.totalCount ?? 0;
          return count > 0 && /* @__PURE__ */ a4("li", { children: /* @__PURE__ */ a4("a", { href: `/${segmentOf(kind)}?status.in=${stand}`, children: [
            /* @__PURE__ */ a4("span", { children: pluralOf(kind.name) }),
            /* @__PURE__ */ a4("b", { children: number(count) })
          ] }) }, kind.name);
        }),
        query.data.value && WITH_STATUS.every((kind) => !query.data.value?.[`${kind.name}_${stand}`]?.totalCount) && /* @__PURE__ */ a4("li", { class: "quiet", children: "none" })
      ] })
    ] }, stand)) }),
    /* @__PURE__ */ a4(Attention, {}),
    /* @__PURE__ */ a4(Space, {}),
    /* @__PURE__ */ a4(Lately, {}),
    /* @__PURE__ */ a4(SinglePoints, {})
  ] });
}

// src/screens/lazy.tsx
var LAZY = {
  impact: lazy(async () => (await import("./impact.js")).default),
  "single-points": lazy(async () => (await import("./single-points.js")).default),
  paths: lazy(async () => (await import("./paths.js")).default),
  "hosts-board": lazy(async () => (await import("./hosts-board.js")).default),
  "hardware-events": lazy(async () => (await import("./hardware-events-screen.js")).default),
  hardware: lazy(async () => (await import("./hardware.js")).default),
  enrolment: lazy(async () => (await import("./hosts-board.js")).EnrolmentScreen),
  parts: lazy(async () => (await import("./parts.js")).default),
  part: lazy(async () => (await import("./parts.js")).PartScreen),
  api: lazy(async () => (await import("./api.js")).default),
  "sources-board": lazy(async () => (await import("./sources-board.js")).default)
};

// src/kinds/filter.ts
var OTHERS = /* @__PURE__ */ new Set(["q", "sort", "columns", "tab", "preview", "at", "in", "facets"]);
var NUMBERS = /* @__PURE__ */ new Set(["Int", "Float", "Long", "Revision"]);
var ANY_CASE = /* @__PURE__ */ new Set(["contains", "startsWith", "endsWith"]);
function filterType(kind, path) {
  let type = `${kind.name}Filter`;
  for (const part of path) type = type && bareType(filterFields(type)[part] ?? "");
  return type || void 0;
}
var isLeaf = (type) => {
  const fields = filterFields(type);
  return "eq" in fields && !("id" in fields);
};
function read2(kind, key) {
  const not = key.startsWith("!");
  const parts = (not ? key.slice(1) : key).split(".");
  const type = filterType(kind, parts);
  if (!type || Object.keys(filterFields(type)).length > 0) return void 0;
  const last2 = parts.at(-1) ?? "";
  const hasOp = last2 === "isNull" || isLeaf(filterType(kind, parts.slice(0, -1)) ?? "");
  return hasOp ? { not, path: parts.slice(0, -1), op: last2 } : { not, path: parts, op: "" };
}
function conditionsOf(kind, params) {
  const found = /* @__PURE__ */ new Map();
  for (const [key, value] of params) {
    if (OTHERS.has(key)) continue;
    const condition = read2(kind, key);
    if (!condition) continue;
    const list = isList(kind, condition);
    const id = list ? key : `${key}=${value}`;
    const before = found.get(id);
    if (before) before.values.push(value);
    else found.set(id, { ...condition, values: [value] });
  }
  return [...found.values()];
}
function unfitOf(kind, params, others = []) {
  return [...params].filter(([key]) => !OTHERS.has(key) && !others.includes(key)).flatMap(([key, value]) => {
    const why = whyUnfit(kind, key, value);
    return why ? [{ key, value, why }] : [];
  });
}
function whyUnfit(kind, key, value) {
  const condition = read2(kind, key);
  if (!condition) {
    const parts = key.replace(/^!/, "").split(".");
    const known2 = parts.findIndex((_4, at) => filterType(kind, parts.slice(0, at + 1)) === void 0);
    return known2 < 0 ? `\u201C${parts.at(-1)}\u201D has several fields, of which one must be named.` : `There is no filter \u201C${parts.slice(0, known2 + 1).join(".")}\u201D for ${pluralOf(kind.name).toLowerCase()}.`;
  }
  const type = bareType(condition.op ? filterFields(filterType(kind, condition.path) ?? "")[condition.op] ?? "" : filterType(kind, condition.path) ?? "");
  const values = valuesOf(type);
  if (values.length > 0 && !values.includes(value)) return `\u201C${value}\u201D is not one of ${values.join(", ")}.`;
  if (NUMBERS.has(type) && (value.trim() === "" || !Number.isFinite(Number(value)))) return `\u201C${value}\u201D is not a number.`;
  if (type === "Boolean" && !["true", "false"].includes(value)) return `\u201C${value}\u201D is neither true nor false.`;
  return void 0;
}
function isList(kind, it) {
  const type = filterType(kind, it.path);
  return it.op !== "" && type !== void 0 && (filterFields(type)[it.op] ?? "").startsWith("[");
}
function keyOfCondition(it) {
  return `${it.not ? "!" : ""}${[...it.path, it.op].filter(Boolean).join(".")}`;
}
function cast(type, value) {
  const bare = bareType(type);
  if (NUMBERS.has(bare)) return Number(value);
  return bare === "Boolean" ? value === "true" : value;
}
function compile(kind, it) {
  const type = filterType(kind, it.path) ?? "";
  let made = it.values[0];
  if (it.op) {
    const operator = filterFields(type)[it.op] ?? "String";
    const value = operator.startsWith("[") ? it.values.map((one) => cast(operator, one)) : cast(operator, it.values[0] ?? "");
    made = ANY_CASE.has(it.op) ? { [it.op]: value, caseInsensitive: true } : { [it.op]: value };
  }
  for (const part of [...it.path].reverse()) made = { [part]: made };
  return it.not ? { not: made } : made;
}
function filterOf(kind, params) {
  const all = conditionsOf(kind, params).map((it) => compile(kind, it));
  const text = params.get("q")?.trim();
  if (text) all.push({ name: { contains: text, caseInsensitive: true } });
  if (all.length === 0) return null;
  return all.length === 1 ? all[0] ?? null : { and: all };
}
var OPS = {
  eq: "is",
  in: "is one of",
  notIn: "is none of",
  contains: "contains",
  startsWith: "begins with",
  endsWith: "ends with",
  isNull: "is missing",
  gt: "more than",
  gte: "at least",
  lt: "less than",
  lte: "at most",
  "": "match"
};
var opWords = (op) => OPS[op] ?? words(op).toLowerCase();

// src/kinds/orders.ts
var MAX_SORTED = 1e5;
function chosenOrder(kind, params) {
  const [by = "", direction = "ASC"] = (params.get("sort") ?? "").split(".");
  return kind.orders.includes(by) ? { by, direction: direction === "DESC" ? "DESC" : "ASC" } : null;
}
function orderOfColumn(kind, field, order, total) {
  const name = field.replace(/[A-Z]/g, (it) => `_${it}`).toUpperCase();
  if (!kind.orders.includes(name)) return void 0;
  const large = total > MAX_SORTED;
  const sortedBy = order && (order.by === name || name === "NAME" && order.by === "KEY") ? order : null;
  const sort = sortedBy ? sortedBy.direction === "DESC" ? "descending" : "ascending" : void 0;
  const by = sortedBy?.by ?? (large && name === "NAME" ? "KEY" : name);
  return { sort, next: sort === void 0 ? by : sort === "ascending" ? `${by}.DESC` : null, off: large && !INDEXED_ORDERS.includes(by) };
}
function keyOrderWords(kind) {
  const parent = parentsOf(kind.name)[0] ?? keyOf(kind.name)?.[0];
  return parent ? `by name within each ${titleOf2(parent).toLowerCase()}` : "by name";
}

// src/parts/scroll.ts
var ROW_PX = 28;
var MAX_PX = 15e6;
var BLOCK = 1e4;
var bodyHeight = (total) => Math.min(total * ROW_PX, MAX_PX);
function ratio(total, height) {
  const body = bodyHeight(total);
  return body === total * ROW_PX || body <= height ? 1 : (total * ROW_PX - height) / (body - height);
}
var topAt = (scrolled, total, height) => Math.max(0, Math.min(scrolled * ratio(total, height), total * ROW_PX - height));
var scrolledAt = (top, total, height) => top / ratio(total, height);
function topAfter(before, scrolled, total, height) {
  return Math.abs(scrolledAt(before, total, height) - scrolled) < 1 ? before : topAt(scrolled, total, height);
}
function rowsAt(top, height, total, around) {
  return { from: Math.max(0, Math.floor(top / ROW_PX) - around), to: Math.min(total, Math.ceil((top + height) / ROW_PX) + around) };
}
var baseOf = (from) => Math.floor(from / BLOCK) * BLOCK;
function topFor(index, top, height) {
  const row = index * ROW_PX;
  const room = height - ROW_PX;
  if (row < top) return row;
  return row > top + room ? row - room : top;
}

// src/parts/table.tsx
var MARK_PX = 32;
var AROUND = 12;
function Table(props) {
  const { active } = props;
  const [dragged, setDragged] = d2(null);
  const columns = props.columns.map((it) => it.id === dragged?.id ? { ...it, width: dragged.width, grow: 0 } : it);
  const latest = T2(props);
  latest.current = props;
  const cache = T2(/* @__PURE__ */ new Map());
  const { total } = props;
  const scroller = T2(null);
  const [view, setView] = d2({ scrolled: 0, top: 0, height: 600 });
  const { from, to } = rowsAt(view.top, view.height, total, AROUND);
  const base = baseOf(from);
  const measure = () => {
    const element = scroller.current;
    if (!element) return;
    const [scrolled, height] = [element.scrollTop, windowOf(element)];
    setView((before) => ({ scrolled, height, top: topAfter(before.top, scrolled, latest.current.total, height) }));
  };
  const keepInView = () => {
    const element = scroller.current;
    if (!element || active < 0) return;
    const height = windowOf(element);
    const top = topFor(active, view.top, height);
    if (top === view.top) return;
    element.scrollTop = scrolledAt(top, total, height);
    setView({ scrolled: element.scrollTop, height, top });
  };
  F2(() => {
    const element = scroller.current;
    if (!element) return void 0;
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    measure();
    return () => observer.disconnect();
  }, []);
  A2(() => latest.current.onWindow(from, to));
  F2(keepInView, [active]);
  const template = `${props.onMark ? `${MARK_PX}px ` : ""}${columns.map((it) => `minmax(${it.width}px, ${it.grow ?? 0}fr)`).join(" ")}`;
  const least = columns.reduce((sum, it) => sum + it.width, props.onMark ? MARK_PX : 0);
  const across = { gridTemplateColumns: template, minWidth: `${least}px` };
  const indexes = Array.from({ length: Math.max(0, to - from) }, (_4, it) => from + it);
  return /* @__PURE__ */ a4(
    "div",
    {
      class: "table",
      role: "grid",
      tabIndex: 0,
      ref: scroller,
      "aria-label": props.label,
      "aria-rowcount": props.total + 1,
      "aria-colcount": columns.length + (props.onMark ? 1 : 0),
      "aria-multiselectable": Boolean(props.onMark),
      "aria-activedescendant": active >= from && active < to ? `row-${active}` : void 0,
      onScroll: measure,
      onKeyDown: (event) => keys(event, props, view.height),
      children: [
        /* @__PURE__ */ a4("div", { class: "table-head", role: "row", "aria-rowindex": 1, style: across, children: [
          props.onMark && /* @__PURE__ */ a4("div", { role: "columnheader", children: /* @__PURE__ */ a4("span", { class: "hidden", children: "Mark" }) }),
          columns.map((it) => /* @__PURE__ */ a4(Head, { column: it, onDrag: props.onWidth && setDragged, onWidth: props.onWidth }, it.id))
        ] }),
        /* @__PURE__ */ a4("div", { class: "table-body", style: { height: `${bodyHeight(total)}px`, minWidth: `${least}px` }, children: /* @__PURE__ */ a4("div", { class: "table-rows", role: "rowgroup", style: { top: `${base * ROW_PX - view.top + view.scrolled}px` }, children: drawn(indexes, base, template, latest, cache.current) }) })
      ]
    }
  );
}
var LEAST_PX = 48;
function Head({ column, onDrag, onWidth }) {
  const grip = (event) => {
    const handle = event.currentTarget;
    const from = handle.parentElement?.offsetWidth ?? column.width;
    const sign = getComputedStyle(handle).direction === "rtl" ? -1 : 1;
    const widthAt = (it) => Math.max(LEAST_PX, Math.round(from + sign * (it.clientX - event.clientX)));
    event.preventDefault();
    handle.setPointerCapture(event.pointerId);
    handle.onpointermove = (it) => onDrag?.({ id: column.id, width: widthAt(it) });
    handle.onpointerup = handle.onpointercancel = (it) => {
      handle.onpointermove = handle.onpointerup = handle.onpointercancel = null;
      onDrag?.(null);
      if (it.type === "pointerup" && it.clientX !== event.clientX) onWidth?.(column.id, widthAt(it));
    };
  };
  return /* @__PURE__ */ a4("div", { role: "columnheader", "aria-sort": column.sort ?? (column.onSort ? "none" : void 0), class: column.numeric ? "numeric" : void 0, title: column.about, children: [
    column.onSort ? /* @__PURE__ */ a4("button", { type: "button", onClick: column.onSort, children: [
      column.title,
      /* @__PURE__ */ a4("span", { class: "arrow", "aria-hidden": "true", children: column.sort ? column.sort === "ascending" ? "\u2191" : "\u2193" : "" })
    ] }) : /* @__PURE__ */ a4("span", { children: column.title }),
    onWidth && /* @__PURE__ */ a4("span", { class: "grip", "aria-hidden": "true", onPointerDown: grip })
  ] });
}
function drawn(indexes, base, template, latest, cache) {
  const table = latest.current;
  const kept3 = new Set(indexes);
  for (const index of [...cache.keys()]) if (!kept3.has(index)) cache.delete(index);
  return indexes.map((index) => {
    const row = table.rowAt(index);
    const stamp = [index === table.active, table.isMarked?.(index), table.isFlashed?.(index), base, template, table.columns.map((it) => it.id)].join();
    const before = cache.get(index);
    if (before && before.row === row && before.stamp === stamp) return before.node;
    const node = /* @__PURE__ */ a4(TableRow, { index, base, template, latest }, row === void 0 ? index : table.keyOf(index));
    cache.set(index, { stamp, row, node });
    return node;
  });
}
function TableRow({ index, base, template, latest }) {
  const table = latest.current;
  const there = table.rowAt(index) !== void 0;
  const marked = table.isMarked?.(index) ?? false;
  const classes = ["row", index === table.active && "active", marked && "marked", table.isFlashed?.(index) && "flashed", !there && "absent"];
  return /* @__PURE__ */ a4(
    "div",
    {
      role: "row",
      id: `row-${index}`,
      "aria-rowindex": index + 2,
      "aria-selected": table.onMark ? marked : void 0,
      class: classes.filter(Boolean).join(" "),
      style: { top: `${(index - base) * ROW_PX}px`, gridTemplateColumns: template },
      onClick: (event) => clicked(event, index, latest.current),
      onDblClick: () => latest.current.onOpen(index),
      children: [
        table.onMark && /* @__PURE__ */ a4("div", { role: "gridcell", class: "mark", onClick: (event) => {
          event.stopPropagation();
          latest.current.onMark?.(index, event.shiftKey);
        }, children: [
          /* @__PURE__ */ a4("span", { class: "box", "aria-hidden": "true", children: marked ? "\u2713" : "" }),
          /* @__PURE__ */ a4("span", { class: "hidden", children: marked ? "marked" : "" })
        ] }),
        table.columns.map((it) => /* @__PURE__ */ a4("div", { role: "gridcell", class: it.numeric ? "numeric" : void 0, children: there ? table.cell(index, it.id) : null }, it.id))
      ]
    }
  );
}
function clicked(event, index, table) {
  if (event.target.closest("a, button")) return;
  table.onActive(index);
  if (event.shiftKey || event.ctrlKey || event.metaKey) table.onMark?.(index, event.shiftKey);
}
var windowOf = (element) => element.clientHeight - ROW_PX;
function keys(event, table, height) {
  if (event.target !== event.currentTarget || event.ctrlKey || event.metaKey || event.altKey) return;
  const page = Math.max(1, Math.floor(height / ROW_PX) - 1);
  const moves = {
    ArrowDown: table.active + 1,
    ArrowUp: table.active - 1,
    PageDown: table.active + page,
    PageUp: table.active - page,
    Home: 0,
    End: table.total - 1
  };
  const to = moves[event.key];
  if (to !== void 0) {
    event.preventDefault();
    const index = Math.max(0, Math.min(table.total - 1, to));
    table.onActive(index);
    if (event.shiftKey && table.onMark) table.onMark(index, true);
  } else if (event.key === " " && table.active >= 0) {
    event.preventDefault();
    table.onMark?.(table.active, event.shiftKey);
  } else if (event.key === "Enter" && table.active >= 0) {
    event.preventDefault();
    table.onOpen(table.active);
  }
}

// src/store/basket.ts
var KEPT5 = "underlay-basket";
var MAX_IN_BASKET = 1e3;
var basket = y3((sessionStorage.getItem(KEPT5) ?? "").split(" ").filter(Boolean));
function setBasket(ids) {
  const next = [...new Set(ids)].slice(0, MAX_IN_BASKET);
  if (next.join() === basket.value.join()) return;
  basket.value = next;
  sessionStorage.setItem(KEPT5, next.join(" "));
}
function impactPath(ids) {
  return ids.length > 0 ? `/impact?${ids.map((it) => `of=${encodeURIComponent(it)}`).join("&")}` : "/impact";
}
function intoBasket(ids) {
  if (ids.length === 0) return;
  const before = basket.value.length;
  setBasket([...basket.value, ...ids]);
  if (url.value.searchParams.has("of")) setParams({ of: basket.value });
  const now = basket.value.length;
  const without = (/* @__PURE__ */ new Set([...basket.value, ...ids])).size - now;
  const held2 = `It holds ${number(now)}${without > 0 ? `, and not more: ${number(without)} were left out` : ""}.`;
  say(`${now === before && without === 0 ? "In the impact basket already." : now === before ? "The impact basket is full." : "Added to the impact basket."} ${held2}`, {
    title: "Show the impact",
    run: () => go(impactPath(basket.value))
  });
}

// src/store/bounds.ts
var MAX_STEPS = 1e4;

// src/store/marks.ts
var marks = y3(/* @__PURE__ */ new Map());
function marksOf(kind) {
  return marks.value.get(kind) ?? /* @__PURE__ */ new Set();
}
function mark(kind, ids, on) {
  const next = new Set(marksOf(kind));
  for (const id of ids) {
    if (on) next.add(id);
    else next.delete(id);
  }
  marks.value = new Map(marks.value).set(kind, next);
}
function unmark(kind) {
  marks.value = new Map(marks.value).set(kind, /* @__PURE__ */ new Set());
}

// src/store/rows.ts
var PAGE = 100;
var CHAIN = 1e3;
var PACE_MS2 = 1e3;
var RETRY_MS2 = 3e3;
var MAX_PAGES = 60;
var Rows = class {
  /** Grows with each change of what is held, so that who paints follows it. */
  version = y3(0);
  total = y3(null);
  error = y3(null);
  waiting = y3(true);
  /** The ids of rows that changed while they were shown, with the time. */
  flashed = /* @__PURE__ */ new Map();
  source;
  pages = /* @__PURE__ */ new Map();
  old = /* @__PURE__ */ new Map();
  cursors = /* @__PURE__ */ new Map([[0, null]]);
  pinned = null;
  generation = 0;
  closed = false;
  asked = /* @__PURE__ */ new Set();
  window = [0, PAGE];
  timer;
  lastRead = 0;
  stop;
  kinds;
  constructor(source) {
    this.source = source;
    this.kinds = /* @__PURE__ */ new Set([source.kind.name, ...source.columns.flatMap((it) => kindsIn(fieldOf(source.kind, it) ?? { name: it, is: "scalar", of: "" }))]);
    this.stop = onEvents((events) => this.notify(events));
    void this.load(0);
  }
  close() {
    this.closed = true;
    this.generation += 1;
    clearTimeout(this.timer);
    this.stop();
  }
  at(index) {
    const page = Math.floor(index / PAGE);
    return (this.pages.get(page) ?? this.old.get(page))?.[index % PAGE];
  }
  /** Reads the pages of these rows, if they are not held. */
  need(from, to) {
    this.window = [from, to];
    if (this.error.value) return;
    const last2 = Math.max(0, Math.min(to, (this.total.value ?? to) - 1));
    for (let page = Math.floor(Math.max(0, from) / PAGE); page <= Math.floor(last2 / PAGE); page += 1) {
      if (!this.pages.has(page)) void this.load(page);
    }
  }
  again = () => {
    if (!this.closed) this.refresh();
  };
  /** Reads everything again, from the present revision; what is shown stays until the answer is there. */
  refresh() {
    this.generation += 1;
    this.pinned = null;
    this.asked.clear();
    this.cursors = /* @__PURE__ */ new Map([[0, null]]);
    this.old = this.pages;
    this.pages = /* @__PURE__ */ new Map();
    this.lastRead = Date.now();
    this.error.value = null;
    void this.load(Math.floor(this.window[0] / PAGE)).then(() => this.need(...this.window));
  }
  async load(page) {
    if (this.asked.has(page)) return;
    this.asked.add(page);
    const generation = this.generation;
    this.waiting.value = true;
    try {
      const rows = await this.page(page);
      if (generation !== this.generation) return;
      this.pages.set(page, rows);
      this.trim(page);
      this.error.value = null;
      this.version.value += 1;
    } catch (error) {
      if (generation !== this.generation) return;
      this.fail(asRefused(error));
    }
    this.asked.delete(page);
    this.waiting.value = this.asked.size > 0;
  }
  fail(error) {
    if (error.code === "REVISION_COMPACTED" && this.pinned !== null) {
      this.later(0);
      return;
    }
    this.error.value = error;
    if (remedyOf(error) === "retry") this.later(RETRY_MS2);
  }
  variables(more) {
    const { of, filter, order } = this.source;
    const revision2 = this.pinned === null ? { pin: true } : { at: this.pinned, pin: true };
    return { ...of ? { id: of.id } : {}, filter, order, ...revision2, ...more };
  }
  async read(selection, more) {
    const answer = await ask(listDocument(this.source, selection), this.variables(more));
    this.pinned ??= answer.revision;
    const rows = this.source.of ? answer.data.node?.rows : answer.data.rows;
    if (!rows) throw new Refused("NOT_FOUND", "The object does not exist any more.");
    if (rows.totalCount !== void 0) this.total.value = rows.totalCount;
    return rows;
  }
  async page(page) {
    const first = this.pinned === null;
    const selection = `${first ? "totalCount" : ""} nodes { ${rowSelection(this.source.kind, this.source.columns)} } pageInfo { endCursor }`;
    if (HAS.skip) return (await this.read(selection, { first: PAGE, skip: page * PAGE })).nodes;
    const after = await this.cursor(page);
    const read3 = await this.read(selection, { first: PAGE, after });
    this.cursors.set(page + 1, read3.pageInfo?.endCursor ?? null);
    return read3.nodes;
  }
  /** The cursor before a page, by long steps from the nearest that is known. */
  async cursor(page) {
    let near = Math.max(...[...this.cursors.keys()].filter((it) => it <= page));
    while (near < page) {
      const steps = Math.min(page - near, CHAIN / PAGE);
      const count = this.pinned === null ? "totalCount" : "";
      const read3 = await this.read(`${count} pageInfo { endCursor }`, { first: steps * PAGE, after: this.cursors.get(near) ?? null });
      near += steps;
      this.cursors.set(near, read3.pageInfo?.endCursor ?? null);
    }
    return this.cursors.get(page) ?? null;
  }
  trim(near) {
    if (this.pages.size <= MAX_PAGES) return;
    const farthest = [...this.pages.keys()].sort((a5, b4) => Math.abs(b4 - near) - Math.abs(a5 - near))[0];
    if (farthest !== void 0) this.pages.delete(farthest);
  }
  notify(events) {
    if (events === "everything") return this.later(0);
    const ours = events.filter((it) => it.kind !== null && this.kinds.has(it.kind));
    if (ours.length === 0) return;
    const held2 = new Set([...this.pages.values()].flat().map((it) => it.id));
    const changed = ours.filter((it) => it.type === "UPDATED" && it.objectId !== null && held2.has(it.objectId)).map((it) => String(it.objectId));
    if (changed.length > 0) void this.replace([...new Set(changed)].slice(0, CHAIN));
    this.later(Math.max(0, this.lastRead + PACE_MS2 - Date.now()));
  }
  /** Reads single rows again, at once. */
  async replace(ids) {
    const { kind, columns } = this.source;
    const document2 = `query Rows($ids: [ID!]!) { nodes(ids: $ids) { ... on ${kind.name} { ${rowSelection(kind, columns)} } } }`;
    try {
      const fresh = (await ask(document2, { ids })).data.nodes;
      const byId = new Map(fresh.flatMap((it) => it?.id ? [[String(it.id), it]] : []));
      for (const [page, rows] of this.pages) this.pages.set(page, rows.map((it) => byId.get(String(it.id)) ?? it));
      const now = Date.now();
      for (const id of byId.keys()) this.flashed.set(id, now);
      this.version.value += 1;
    } catch {
    }
  }
  later(wait) {
    if (this.timer) return;
    this.timer = setTimeout(() => {
      this.timer = void 0;
      whenVisible(this.again);
    }, wait);
  }
};

// src/store/neighbours.ts
var neighbours = y3(null);

// src/screens/chosen-columns.ts
var LEAST_PX2 = 48;
var MAX_PX2 = 2e3;
var asked2 = (params) => (params.get("columns") ?? "").split(",").map((it) => it.split(":"));
function chosenColumns(kind, params) {
  const there = new Set(columnsOf(kind).map((it) => it.name));
  const names = asked2(params).flatMap(([name = ""]) => there.has(name) ? [name] : []);
  return names.length > 0 ? [...new Set(names)] : firstColumns(kind);
}
function chosenWidths(params) {
  return Object.fromEntries(asked2(params).flatMap(([name = "", width]) => {
    const pixels = Math.round(Number(width));
    return pixels > 0 ? [[name, Math.max(LEAST_PX2, Math.min(MAX_PX2, pixels))]] : [];
  }));
}
var columnsParam = (names, widths) => names.map((it) => widths[it] ? `${it}:${Math.round(widths[it])}` : it).join(",");

// src/parts/act.tsx
function Act({ refusal: refusal2, onClick, children, label, class: name }) {
  const called = label && (refusal2 === void 0 ? label : `${label} (${refusal2})`);
  return /* @__PURE__ */ a4("button", { type: "button", class: name, "aria-label": called, "aria-disabled": refusal2 !== void 0, title: refusal2, onClick: () => {
    if (refusal2 === void 0) onClick();
  }, children: [
    children,
    refusal2 !== void 0 && /* @__PURE__ */ a4("span", { class: "hidden", children: [
      " (",
      refusal2,
      ")"
    ] })
  ] });
}

// src/screens/chips.tsx
var FilterForm = lazy(async () => (await import("./filter-form.js")).FilterForm);
function Chips({ source, params, onChange, opener }) {
  const { kind } = source;
  const remove = (it) => {
    const key = keyOfCondition(it);
    const left = params.getAll(key).filter((value) => !it.values.includes(value));
    onChange({ [key]: left.length > 0 ? left : null });
  };
  const add = (key, values) => onChange({ [key]: [.../* @__PURE__ */ new Set([...params.getAll(key), ...values])] });
  return /* @__PURE__ */ a4("div", { class: "chips", children: [
    conditionsOf(kind, params).map((it) => {
      const text = wordsOf(it);
      return /* @__PURE__ */ a4("span", { class: "chip", children: [
        /* @__PURE__ */ a4("bdi", { children: text }),
        /* @__PURE__ */ a4("button", { type: "button", "aria-label": `Remove the filter ${text}`, onClick: () => remove(it), children: "\u2715" })
      ] }, keyOfCondition(it) + it.values.join());
    }),
    /* @__PURE__ */ a4(Menu, { label: "+ Filter", title: "Add a filter", class: "plain", ...opener ? { opener } : {}, children: (close) => /* @__PURE__ */ a4(FilterForm, { source, onAdd: (key, values) => {
      add(key, values);
      close();
    } }) })
  ] });
}
var isObject2 = (it) => it.path.length > 1 && it.path.at(-1) === "id";
function wordsOf(it) {
  const name = (isObject2(it) ? it.path.slice(0, -1) : it.path).filter((part) => part !== "some").map(words).join(" \u203A ");
  if (it.op === "isNull") return `${name} ${it.values[0] === "true" === it.not ? "is there" : "is missing"}`;
  const values = it.values.map((value) => valueWords(it, value)).join(" or ");
  return `${name} ${it.not ? "not: " : ""}${["eq", "in", ""].includes(it.op) ? "" : `${opWords(it.op)} `}${values}`;
}
function valueWords(it, value) {
  if (isObject2(it) || it.op === "" && it.path.at(-1) === "within") return nameById(value) ?? "\u2026";
  return /^[A-Z][A-Z_\d]*$/.test(value) ? enumWords(value) : value;
}

// src/screens/list-bar.tsx
var Marked = lazy(async () => (await import("./marked.js")).Marked, "over");
var Columns = lazy(async () => (await import("./columns.js")).Columns);
var Export = lazy(async () => (await import("./export.js")).Export);
function ListBar({ source, rows, title, total }) {
  const { kind } = source;
  const params = url.value.searchParams;
  const [typed, setTyped] = d2(null);
  const columns = w2(() => ({}), []);
  const add = w2(() => ({}), []);
  const take3 = w2(() => ({}), []);
  const create = kind.create && kind.apply ? { create: () => openForm({ kind, objects: [] }) } : {};
  const [asked3, setAsked] = d2(0);
  const grouped = params.has("facets");
  const group = () => setParams({ facets: grouped ? null : "usual" }, "replace");
  useCommands({ group, columns: () => columns.open?.(), filter: () => add.open?.(), export: () => take3.open?.(), "mark-all": () => setAsked((it) => it + 1), ...refusal("apply") ? {} : create });
  return /* @__PURE__ */ a4("header", { class: "list-bar", children: [
    /* @__PURE__ */ a4("h1", { title, children: [
      /* @__PURE__ */ a4("bdi", { children: title }),
      " ",
      /* @__PURE__ */ a4("span", { class: "count", "aria-live": "polite", children: total === null ? "\u2026" : number(total) })
    ] }),
    /* @__PURE__ */ a4(
      "input",
      {
        type: "search",
        "aria-label": `${title} whose name contains`,
        placeholder: "Name contains\u2026",
        value: typed ?? params.get("q") ?? "",
        onInput: (event) => {
          const text = event.currentTarget.value;
          setTyped(text);
          later(() => {
            setParams({ q: text || null }, "replace");
            setTyped(null);
          });
        }
      }
    ),
    /* @__PURE__ */ a4(Chips, { source, params, opener: add, onChange: (changes) => setParams(changes) }),
    /* @__PURE__ */ a4("span", { class: "grow" }),
    kind.name === "Rack" && /* @__PURE__ */ a4("a", { class: "button", href: `/elevations${url.value.search}`, children: "Elevations" }),
    kind.name === "Host" && !viewer.value?.tenant && /* @__PURE__ */ a4("a", { class: "button", href: "/hardware-events", children: "Hardware events" }),
    rows.waiting.value && /* @__PURE__ */ a4("span", { class: "quiet", role: "status", children: "reading" }),
    /* @__PURE__ */ a4("button", { type: "button", "aria-pressed": grouped, title: "Count and narrow the list by the values of its fields", onClick: group, children: "Groups" }),
    /* @__PURE__ */ a4(Menu, { label: "Columns", title: "Choose columns", opener: columns, children: () => /* @__PURE__ */ a4(Columns, { kind, params }) }),
    /* @__PURE__ */ a4(Menu, { label: "Export", title: "Export or copy this list", opener: take3, children: (close) => /* @__PURE__ */ a4(Export, { source, close }) }),
    create.create && /* @__PURE__ */ a4(Act, { refusal: refusal("apply"), onClick: create.create, children: "Create" }),
    /* @__PURE__ */ a4(Marked, { source, total, asked: asked3 })
  ] });
}
var TYPING_MS = 50;
var pending;
function later(run) {
  clearTimeout(pending);
  pending = setTimeout(run, TYPING_MS);
}

// src/screens/overview.tsx
var RECORD = /* @__PURE__ */ new Set(["id", "version", "createdAt", "updatedAt", "externalRefs", "tenant"]);
function useObject(kind, id) {
  const touched = [.../* @__PURE__ */ new Set([kind.name, ...columnsOf(kind).flatMap(kindsIn)])];
  return useQuery(objectDocument(kind), { id }, touched);
}
function Overview({ kind, id, short }) {
  const query = useObject(kind, id);
  if (query.error.value) return /* @__PURE__ */ a4(Failure, { error: query.error.value, again: () => void query.read() });
  const data = query.data.value;
  if (!data) return /* @__PURE__ */ a4("p", { class: "waiting", children: "Reading\u2026" });
  const row = data.node;
  if (!row) return /* @__PURE__ */ a4("p", { class: "empty", children: "This object does not exist, or not any more." });
  return /* @__PURE__ */ a4($, { children: [
    short && /* @__PURE__ */ a4("h2", { children: [
      /* @__PURE__ */ a4("a", { href: pathOf(kind.name, row), children: /* @__PURE__ */ a4("bdi", { children: row.name }) }),
      " ",
      /* @__PURE__ */ a4("span", { class: "quiet", children: titleOf2(kind.name) })
    ] }),
    /* @__PURE__ */ a4(Fields, { kind, row, fields: columnsOf(kind).filter((it) => !RECORD.has(it.name) && it.name !== "name" && !DERIVED[kind.name]?.includes(it.name)) }),
    Object.keys(row.attributes).length > 0 && /* @__PURE__ */ a4($, { children: [
      /* @__PURE__ */ a4("h2", { class: "sub", children: "Attributes" }),
      /* @__PURE__ */ a4("pre", { class: "json", tabIndex: 0, children: JSON.stringify(row.attributes, null, 2) })
    ] }),
    /* @__PURE__ */ a4("h2", { class: "sub", children: "Record" }),
    /* @__PURE__ */ a4(Fields, { kind, row, fields: columnsOf(kind).filter((it) => RECORD.has(it.name)) })
  ] });
}
function holderOf(managers, field) {
  return managers.find((it) => it.field === field) ?? managers.find((it) => it.field.startsWith(`${field}.`));
}
function Fields({ kind, row, fields }) {
  const set = fields.filter((it) => !isEmpty(row[it.name]));
  const unset = fields.filter((it) => isEmpty(row[it.name]));
  return /* @__PURE__ */ a4($, { children: [
    /* @__PURE__ */ a4("dl", { class: "fields", children: set.map((it) => {
      const holder = holderOf(row.managers, it.name);
      return /* @__PURE__ */ a4("div", { children: [
        /* @__PURE__ */ a4("dt", { title: about(`${kind.name}.${it.name}`), children: words(it.name) }),
        /* @__PURE__ */ a4("dd", { children: [
          /* @__PURE__ */ a4("span", { children: /* @__PURE__ */ a4(Value, { field: it, value: row[it.name] }) }),
          holder && /* @__PURE__ */ a4("span", { class: "holder", title: `Held by ${holder.manager} since revision ${holder.since}`, children: [
            holder.type === "USER" ? "" : "\u26BF ",
            holder.manager
          ] })
        ] })
      ] }, it.name);
    }) }),
    unset.length > 0 && /* @__PURE__ */ a4("p", { class: "unset", children: [
      "Not set: ",
      unset.map((it) => words(it.name).toLowerCase()).join(", "),
      "."
    ] })
  ] });
}
function isEmpty(value) {
  return value === null || value === void 0 || value === "" || typeof value === "object" && Object.keys(value).length === 0;
}

// src/screens/preview.tsx
function Preview({ kind, id }) {
  const close = () => setParams({ preview: null }, "replace");
  useCommands({ out: close });
  return /* @__PURE__ */ a4("aside", { class: "preview", "aria-label": `Preview of a ${titleOf2(kind.name).toLowerCase()}`, tabIndex: 0, children: [
    /* @__PURE__ */ a4("button", { type: "button", class: "close", onClick: close, "aria-label": "Close the preview", children: "\u2715" }),
    /* @__PURE__ */ a4(Overview, { kind, id, short: true })
  ] });
}

// src/screens/unfit.tsx
function Unfit({ title, unfit }) {
  const drop = (gone2) => {
    const keys2 = [...new Set(gone2.map((it) => it.key))];
    const left = (key) => url.value.searchParams.getAll(key).filter((value) => !gone2.some((it) => it.key === key && it.value === value));
    setParams(Object.fromEntries(keys2.map((key) => [key, left(key).length > 0 ? left(key) : null])), "replace");
  };
  return /* @__PURE__ */ a4("section", { class: "page", "aria-label": title, children: [
    /* @__PURE__ */ a4("h1", { children: title }),
    /* @__PURE__ */ a4("p", { children: "The address of this page asks for filters that do not fit. Nothing is listed until they are removed." }),
    unfit.map((it) => /* @__PURE__ */ a4("div", { class: "failure", role: "alert", children: [
      /* @__PURE__ */ a4("b", { children: /* @__PURE__ */ a4("bdi", { children: [
        it.key,
        "=",
        it.value
      ] }) }),
      /* @__PURE__ */ a4("span", { children: /* @__PURE__ */ a4("bdi", { children: it.why }) }),
      /* @__PURE__ */ a4("button", { type: "button", onClick: () => drop([it]), children: "Remove this filter" })
    ] }, `${it.key}=${it.value}`)),
    unfit.length > 1 && /* @__PURE__ */ a4("button", { type: "button", onClick: () => drop(unfit), children: "Remove all of them" })
  ] });
}

// src/screens/list.tsx
var Facets = lazy(async () => (await import("./facets.js")).Facets);
var FLASH_MS = 1500;
function useRows(source) {
  const key = JSON.stringify({ ...source, kind: source.kind.name });
  const rows = w2(() => new Rows(source), [key]);
  A2(() => () => rows.close(), [rows]);
  return rows;
}
var WIDTHS = {
  name: [190, 1.4],
  description: [220, 2],
  labels: [220, 1.6],
  placement: [170, 0.6],
  device: [160, 1],
  cable: [150, 1]
};
function widthOf(field) {
  const own = WIDTHS[field.name];
  if (own) return own;
  if (field.of === "Boolean" || field.of === "Int") return [92, 0.2];
  if (field.is === "enum") return [124, 0.3];
  if (field.of === "DateTime") return [168, 0.3];
  if (["Long", "Float", "Revision"].includes(field.of)) return [108, 0.2];
  if (field.is === "union" || field.list) return [220, 1.4];
  return field.is === "value" ? [180, 1.2] : [120, 1];
}
var isNumeric = (field) => ["Int", "Long", "Float", "Revision"].includes(field.of);
function columnOf(kind, field, order, total, wide) {
  const own = orderOfColumn(kind, field.name, order, total);
  const [width, grow] = wide ? [wide, 0] : widthOf(field);
  const off = own?.off ? ` The list is too long to be ordered by this column.` : "";
  return {
    id: field.name,
    title: words(field.name),
    about: `${about(`${kind.name}.${field.name}`) ?? ""}${off}`,
    width,
    grow,
    numeric: isNumeric(field),
    sort: own?.sort,
    onSort: own && !own.off ? () => setParams({ sort: own.next }) : void 0
  };
}
function ListScreen({ kind }) {
  return /* @__PURE__ */ a4(List, { kind, title: pluralOf(kind.name) }, kind.name);
}
function List(props) {
  const unfit = unfitOf(props.kind, url.value.searchParams);
  return unfit.length > 0 ? /* @__PURE__ */ a4(Unfit, { title: props.title, unfit }) : /* @__PURE__ */ a4(Fitting, { ...props });
}
function Fitting({ kind, title, of }) {
  const params = url.value.searchParams;
  const columns = chosenColumns(kind, params);
  const widths = chosenWidths(params);
  const order = chosenOrder(kind, params);
  const filter = narrow(kind, filterOf(kind, params), of ? null : narrowedTo());
  const source = { kind, filter, order, columns, ...of ? { of } : {} };
  const rows = useRows(source);
  const [active, setActive] = d2(0);
  const marked = marksOf(kind.name);
  void rows.version.value;
  const total = rows.total.value ?? 0;
  const size = T2(0);
  size.current = rows.total.value ?? size.current;
  const fields = columns.map((it) => fieldOf(kind, it)).filter((it) => it !== void 0);
  const preview = params.get("preview");
  const facets = params.get("facets");
  const toggle = (index, range) => {
    const row = rows.at(index);
    if (!row) return;
    const ids = range ? between(rows, active, index) : [String(row.id)];
    mark(kind.name, ids, range || !marked.has(String(row.id)));
    setActive(index);
  };
  const open = (index) => {
    const row = rows.at(index);
    if (!row) return;
    neighbours.value = { rows, index };
    go(pathOf(kind.name, row));
  };
  const show = (index) => {
    const row = rows.at(index);
    setParams({ preview: row && preview !== row.id ? String(row.id) : null }, "replace");
  };
  const move = (by) => {
    const index = Math.max(0, Math.min(total - 1, active + by));
    setActive(index);
    const row = rows.at(index);
    if (preview && row) setParams({ preview: String(row.id) }, "replace");
  };
  const edit = () => {
    const ids = marksOf(kind.name);
    const row = rows.at(active);
    if (ids.size > 0) openForm({ kind, objects: [...ids] });
    else if (row) openForm({ kind, objects: [String(row.id)] });
  };
  const mayEdit = kind.change && kind.apply && !refusal("apply") && marked.size <= MAX_STEPS;
  const traced = ROUTES.some((it) => it.screen === "trace" && it.kinds?.includes(kind.name));
  const trace = () => {
    const row = rows.at(active);
    if (row) go(`${pathOf(kind.name, row)}/trace`);
  };
  useCommands({
    next: () => move(1),
    previous: () => move(-1),
    mark: () => toggle(active, false),
    open: () => open(active),
    preview: () => show(active),
    ...mayEdit ? { edit } : {},
    ...traced ? { trace } : {},
    unmark: () => unmark(kind.name),
    impact: () => intoBasket(marked.size > 0 ? [...marked] : rows.at(active) ? [String(rows.at(active)?.id)] : [])
  });
  A2(() => setActive((it) => Math.max(0, Math.min(it, total - 1))), [total]);
  return /* @__PURE__ */ a4("section", { class: "list", "aria-label": title, onClickCapture: (event) => comeFrom(event, rows), children: [
    /* @__PURE__ */ a4(ListBar, { source, rows, title, total: rows.total.value }),
    rows.error.value && /* @__PURE__ */ a4(Failure, { error: rows.error.value, again: () => rows.refresh() }),
    /* @__PURE__ */ a4(Sorting, { kind, total: size.current, order, refused: rows.error.value?.code === "TOO_COMPLEX" }),
    /* @__PURE__ */ a4("div", { class: "beside", children: [
      facets && /* @__PURE__ */ a4(Facets, { source, chosen: facets }),
      /* @__PURE__ */ a4(
        Table,
        {
          label: title,
          columns: fields.map((it) => columnOf(kind, it, order, size.current, widths[it.name])),
          total,
          active,
          onWidth: (column, width) => setParams({ columns: columnsParam(columns, { ...widths, [column]: width }) }, "replace"),
          onActive: setActive,
          onOpen: open,
          onMark: toggle,
          isMarked: (it) => marked.has(String(rows.at(it)?.id)),
          isFlashed: (it) => Date.now() - (rows.flashed.get(String(rows.at(it)?.id)) ?? 0) < FLASH_MS,
          onWindow: (from, to) => rows.need(from, to),
          keyOf: (it) => String(rows.at(it)?.id ?? it),
          rowAt: (it) => rows.at(it),
          cell: (index, column) => /* @__PURE__ */ a4(Cell, { kind, row: rows.at(index), field: fields.find((it) => it.name === column) })
        }
      ),
      preview && /* @__PURE__ */ a4(Preview, { kind, id: preview })
    ] }),
    rows.total.value === 0 && !rows.error.value && /* @__PURE__ */ a4("p", { class: "empty", children: source.filter ? "Nothing fits these filters." : "There are none yet." })
  ] });
}
function Sorting({ kind, total, order, refused: refused2 }) {
  if (total <= MAX_SORTED && !(refused2 && order)) return null;
  const words2 = keyOrderWords(kind);
  return /* @__PURE__ */ a4("p", { class: "sorting", children: [
    /* @__PURE__ */ a4("span", { children: [
      "The server orders more than ",
      number(MAX_SORTED),
      " objects only by what it has an index for: ",
      words2,
      ", and by the last change. Narrow the list for other orders."
    ] }),
    refused2 && order && /* @__PURE__ */ a4("button", { type: "button", onClick: () => setParams({ sort: order.direction === "DESC" ? "KEY.DESC" : "KEY" }), children: [
      "Order it ",
      words2
    ] })
  ] });
}
function comeFrom(event, rows) {
  const target = event.target;
  const row = target.closest("a") && target.closest(".row");
  if (row) neighbours.value = { rows, index: Number(row.id.slice("row-".length)) };
}
function Cell({ kind, row, field }) {
  if (!row || !field) return null;
  if (field.name === "name") return /* @__PURE__ */ a4(Ref, { row, kind: kind.name, own: true, quiet: true });
  return /* @__PURE__ */ a4(Value, { field, value: row[field.name], quiet: true });
}
function between(rows, from, to) {
  const ids = [];
  for (let it = Math.min(from, to); it <= Math.max(from, to); it += 1) {
    const id = rows.at(it)?.id;
    if (id) ids.push(String(id));
  }
  return ids;
}

// src/screens/sign-in.tsx
function SignIn() {
  const [text, setText] = d2("");
  if (!tokenNeeded.value) return null;
  const it = session.value;
  const submit = (event) => {
    event.preventDefault();
    bring(text.trim());
    location.reload();
  };
  return /* @__PURE__ */ a4("main", { class: "sign-in", children: /* @__PURE__ */ a4("form", { onSubmit: submit, children: [
    /* @__PURE__ */ a4("h1", { children: "Underlay" }),
    signInError.value && /* @__PURE__ */ a4("p", { class: "wrong", role: "alert", children: [
      "Signing in did not work: ",
      signInError.value
    ] }),
    ended.value && /* @__PURE__ */ a4("p", { class: "wrong", role: "alert", children: "The server no longer accepts the token of this tab. It may have expired. After signing in, you are back at this page." }),
    it?.way === "oidc" && /* @__PURE__ */ a4($, { children: [
      /* @__PURE__ */ a4("button", { type: "button", class: "main", onClick: () => void signIn(it.oidc), children: [
        "Sign in at ",
        new URL(it.oidc.issuer).host
      ] }),
      /* @__PURE__ */ a4("h2", { class: "sub", children: "Or bring a token" })
    ] }),
    /* @__PURE__ */ a4("p", { children: [
      "This server wants a token. ",
      /* @__PURE__ */ a4("code", { children: "underlay token create" }),
      " makes one, and one of a trusted issuer works, too."
    ] }),
    /* @__PURE__ */ a4("label", { children: [
      "Token ",
      /* @__PURE__ */ a4("input", { type: "password", autocomplete: "off", spellcheck: false, required: true, value: text, onInput: (event) => setText(event.currentTarget.value) })
    ] }),
    /* @__PURE__ */ a4("button", { type: "submit", class: it?.way === "oidc" ? void 0 : "main", children: "Use the token" }),
    /* @__PURE__ */ a4("p", { class: "quiet", children: "The token stays in this tab, and is forgotten when it is closed." })
  ] }) });
}

// src/store/last-revision.ts
var KEPT6 = "underlay-last-revision";
function keepLastRevision() {
  window.addEventListener("pagehide", () => {
    if (revision.value > 0) localStorage.setItem(KEPT6, String(revision.value));
  });
}
var lastRevision = () => Number(localStorage.getItem(KEPT6)) || 0;

// src/parts/dialog.tsx
function Dialog({ title, onClose, children, class: name }) {
  const box = T2(null);
  const beside = T2(false);
  A2(() => {
    const before = document.activeElement;
    box.current?.showModal();
    return () => before?.focus?.();
  }, []);
  return /* @__PURE__ */ a4(
    "dialog",
    {
      ref: box,
      class: name,
      "aria-label": title,
      onClose: () => {
        if (box.current) onClose();
      },
      onPointerDown: (event) => {
        beside.current = event.target === box.current;
      },
      onClick: (event) => {
        if (beside.current && event.target === box.current) box.current?.close();
      },
      children
    }
  );
}

// src/store/resolve.ts
function useResolved(kind, rest) {
  const { document: document2, variables } = lookupDocument(kind, rest);
  const query = useQuery(document2, variables, [kind.name]);
  const data = query.data.value;
  return { id: data?.found?.id ?? null, waiting: data === null && query.error.value === null, error: query.error.value };
}

// src/main.tsx
var FormDialog = lazy(async () => (await import("./form.js")).FormDialog, "over");
var Help = lazy(async () => (await import("./help.js")).Help, "over");
var Palette = lazy(async () => (await import("./palette.js")).Palette, "over");
var DetailScreen = lazy(async () => (await import("./detail.js")).DetailScreen);
var ChangesScreen = lazy(async () => (await import("./changes.js")).ChangesScreen);
var RevisionScreen = lazy(async () => (await import("./changes.js")).RevisionScreen);
var RackScreen = lazy(async () => (await import("./rack.js")).RackScreen);
var RowScreen = lazy(async () => (await import("./rack.js")).RowScreen);
var TraceScreen = lazy(async () => (await import("./trace.js")).TraceScreen);
var PatchScreen = lazy(async () => (await import("./patch.js")).PatchScreen);
var ReviewScreen = lazy(async () => (await import("./review.js")).ReviewScreen);
var Boundary = class extends x {
  state = { error: null };
  componentDidCatch(error) {
    console.error(error);
    this.setState({ error: asRefused(error) });
  }
  componentDidUpdate(before) {
    if (before.of !== this.props.of && this.state.error) this.setState({ error: null });
  }
  render() {
    return this.state.error ? /* @__PURE__ */ a4(Failure, { error: this.state.error, again: () => this.setState({ error: null }) }) : this.props.children;
  }
};
function Screen() {
  const { screen, kind, rest } = currentRoute.value;
  if (screen === "home") return /* @__PURE__ */ a4(HomeScreen, {});
  if (screen === "list" && kind) return /* @__PURE__ */ a4(ListScreen, { kind });
  if (screen === "detail" && kind) return /* @__PURE__ */ a4(DetailScreen, { kind, rest }, rest.join("/"));
  if (screen === "changes") return /* @__PURE__ */ a4(ChangesScreen, {});
  if (screen === "revision" && /^[1-9]\d*$/.test(rest[0] ?? "")) return /* @__PURE__ */ a4(RevisionScreen, { revision: Number(rest[0]) }, rest[0]);
  if (screen === "elevation") return /* @__PURE__ */ a4(RackScreen, { rest }, rest.join("/"));
  if (screen === "elevations") return /* @__PURE__ */ a4(RowScreen, {});
  if ((screen === "trace" || screen === "power") && kind) return /* @__PURE__ */ a4(TraceScreen, { kind, rest, power: screen === "power" }, rest.join("/"));
  if (screen === "patch") return /* @__PURE__ */ a4(PatchScreen, {});
  if (screen === "review") return /* @__PURE__ */ a4(ReviewScreen, {});
  const Other = LAZY[screen];
  if (Other) return /* @__PURE__ */ a4(Other, {}, screen);
  return /* @__PURE__ */ a4("section", { class: "page", children: [
    /* @__PURE__ */ a4("h1", { children: "Nothing here" }),
    /* @__PURE__ */ a4("p", { children: [
      "There is nothing at ",
      /* @__PURE__ */ a4("bdi", { children: url.value.pathname }),
      ". ",
      /* @__PURE__ */ a4("a", { href: "/", children: "Go home" })
    ] })
  ] });
}
function App() {
  if (tokenNeeded.value) return /* @__PURE__ */ a4(SignIn, {});
  document.title = `${titleOfRoute(currentRoute.value)} \xB7 Underlay`;
  const of = `${currentRoute.value.screen} ${currentRoute.value.kind?.name} ${currentRoute.value.rest.join("/")}`;
  return /* @__PURE__ */ a4($, { children: [
    /* @__PURE__ */ a4(Frame, { children: /* @__PURE__ */ a4(Boundary, { of, children: /* @__PURE__ */ a4(Screen, {}) }) }),
    form.value && /* @__PURE__ */ a4(FormDialog, {}),
    helpShown.value && /* @__PURE__ */ a4(Help, {}),
    paletteText.value !== null && /* @__PURE__ */ a4(Palette, {})
  ] });
}
async function begin() {
  startTheme();
  start();
  startKeys();
  keepLastRevision();
  const root = document.getElementById("app");
  if (!root) return;
  try {
    await enter();
    url.value = new URL(location.href);
    if (!tokenNeeded.value) wrote((await ask("{ revision }")).data.revision);
  } catch (error) {
    console.error(error);
  }
  Q(/* @__PURE__ */ a4(App, {}), root);
  if (!tokenNeeded.value) void live();
  loadViewer().catch(() => {
  });
  void loadAbout();
}
void begin();
export {
  Act,
  COMMANDS,
  x as Component,
  DERIVED,
  Dialog,
  ENUMS,
  EnumValue,
  Failure,
  $ as Fragment,
  HAS,
  IN,
  LIST_KEYS,
  Labels,
  List,
  MAX_IN_BASKET,
  Menu,
  Overview,
  PAGE,
  Query,
  ROUTES,
  Ref,
  Refused,
  Rows,
  Table,
  Toasts,
  UNIONS,
  Unfit,
  VALUES,
  VIEWER,
  Value,
  about,
  asRefused,
  ask,
  available,
  bareType,
  basket,
  r3 as batch,
  bytes,
  chosenColumns,
  chosenWidths,
  columnsOf,
  columnsParam,
  O as computed,
  conditionsOf,
  createClient,
  U as createContext,
  currentRoute,
  cut,
  diskBytes,
  x2 as effect,
  enumWords,
  facetDocument,
  fieldOf,
  filterFields,
  filterOf,
  filterType,
  firstColumns,
  forgetRevisions,
  form,
  go,
  groups,
  k as h,
  helpShown,
  idOrPath,
  impactPath,
  intoBasket,
  isGone,
  isLeaf,
  isOpen,
  isPlaced,
  isolated,
  joined,
  a4 as jsx,
  a4 as jsxs,
  keep,
  keepForm,
  keptForm,
  keyOf,
  keyOfCondition,
  keyWords,
  keysOn,
  kindBySegment,
  kindOf,
  kinds,
  kindsIn,
  lastEvent,
  lastRevision,
  lazy,
  listDocument,
  listPath,
  live,
  loadAbout,
  loadViewer,
  lookupDocument,
  mark,
  marks,
  marksOf,
  match,
  nameById,
  nameOf,
  nameOfChange,
  nameSelection,
  narrow,
  narrowedTo,
  neighbours,
  notice,
  number,
  objectDocument,
  onEvents,
  onOpen,
  opWords,
  openForm,
  openHelp,
  openPalette,
  paletteText,
  parentsOf,
  pathOf,
  pause,
  placeFilter,
  pluralOf,
  rate,
  reached,
  recent,
  refusal,
  remedyOf,
  remember,
  review,
  revision,
  rowSelection,
  say,
  scalar,
  seen,
  segmentOf,
  selectionOf,
  setBasket,
  setParams,
  y3 as signal,
  since,
  start,
  startKeys,
  state,
  subscribe,
  switchKeys,
  time,
  titleOf2 as titleOf,
  titleOf as titleOfCode,
  titleOfRoute,
  token,
  trail,
  unfitOf,
  unmark,
  upright,
  url,
  b as useCallback,
  useCommands,
  j2 as useContext,
  A2 as useEffect,
  P2 as useId,
  F2 as useLayoutEffect,
  w2 as useMemo,
  useObject,
  useQuery,
  T2 as useRef,
  useResolved,
  d2 as useState,
  valuesOf,
  viewer,
  viewsOf,
  words,
  wrote
};
