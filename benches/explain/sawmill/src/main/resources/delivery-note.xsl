<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform">
    <xsl:output method="html"/>
    <xsl:template match="/note">
        <html>
            <h1>Delivery note <xsl:value-of select="@no"/></h1>
            <table>
                <xsl:for-each select="board">
                    <xsl:sort select="@length" data-type="number"/>
                    <xsl:call-template name="line"/>
                </xsl:for-each>
            </table>
            <p>Boards: <xsl:value-of select="sum(board/@count)"/></p>
        </html>
    </xsl:template>
    <xsl:template name="line">
        <tr>
            <td><xsl:value-of select="@wood"/></td>
            <td><xsl:value-of select="format-number(@length, '0.00')"/></td>
            <td>
                <xsl:choose>
                    <xsl:when test="@count &gt; 100">many</xsl:when>
                    <xsl:otherwise><xsl:value-of select="@count"/></xsl:otherwise>
                </xsl:choose>
            </td>
        </tr>
    </xsl:template>
</xsl:stylesheet>
